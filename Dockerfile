# Everything that a running service needs, and nothing to build it with.
FROM node:22-bookworm-slim AS install
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts && npm rebuild node
COPY bin bin
COPY src src
COPY console console
# The application is built; then what built it goes, and the embedded database, which is elsewhere here.
RUN npm run build && npm prune --omit=dev --omit=optional --ignore-scripts \
  && rm -rf node_modules/node/node_modules console/src

FROM debian:bookworm-slim
# Node comes with the packages; it needs this library of its own.
RUN apt-get update && apt-get install -y --no-install-recommends libatomic1 ca-certificates \
  && rm -rf /var/lib/apt/lists/* && useradd --uid 10001 --no-create-home lastro
WORKDIR /app
COPY --from=install /app .
USER lastro
ENV HOST=0.0.0.0 PORT=3000 LASTRO_DEMO=off
EXPOSE 3000
HEALTHCHECK --start-period=20s CMD ["node_modules/.bin/node", "-e", "fetch('http://localhost:'+process.env.PORT+'/readyz').then((r)=>process.exit(r.ok?0:1),()=>process.exit(1))"]
ENTRYPOINT ["node_modules/.bin/node", "--max-semi-space-size=12", "--heap-growing-percent=40", "src/cli.ts"]
CMD ["serve"]
