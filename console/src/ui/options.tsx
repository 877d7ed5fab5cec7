/** What can be chosen in a `SelectField`, by the words for each value. */
export function Options({ words }: { words: Record<string, string | { name: string }> }) {
  return Object.entries(words).map(([value, word]) => (
    <option key={value} value={value}>
      {typeof word === 'string' ? word : word.name}
    </option>
  ))
}
