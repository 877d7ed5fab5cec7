// Programs for a page: whether what it shows can be used by everybody. `axe` is there.

/** What axe finds, once no colour is on its way to another. */
export const FINDINGS = `new Promise(requestAnimationFrame)
  .then(() => {
    for (const each of document.getAnimations()) if (each instanceof CSSTransition) each.finish()
    return axe.run(document, { resultTypes: ['violations'], preload: false })
  })
  .then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => [id, html, failureSummary].join(' '))))`

/** The page and its dialog, where either can be scrolled sideways. */
export const TOO_WIDE = `[document.documentElement, ...document.querySelectorAll('[role=dialog]')]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  .map(({ tagName, scrollWidth, clientWidth }) => tagName + ': ' + scrollWidth + ' > ' + clientWidth)`
