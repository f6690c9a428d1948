# Slipway's image. Without a builder or a registry, `npm run image -- slipway` makes the same one (docs/images.md).
# What is in /out is collected by tools/image/collect-program.ts, how it is run is said in tools/image/program-places.ts, and
# tools/image/dockerfile.test.ts compares both to this file.
FROM debian:bookworm-slim AS base
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates libstdc++6 tini \
 && rm -rf /var/lib/apt/lists/* \
 && dpkg-query -W -f '${Package}_${Version}_${Architecture}\n' > /packages

FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
COPY . .
COPY --from=base /packages /packages
RUN node tools/image/main.ts files /out --packages /packages && mkdir /data && chmod 700 /data

FROM base
COPY --from=build /out/usr /usr
COPY --from=build /out/etc /etc
COPY --from=build /out/opt /opt
COPY --from=build --chown=10002:10002 /data /data
ENV PATH=/usr/local/bin:/usr/bin:/bin \
    NODE_ENV=production \
    DATA_DIR=/data \
    NODE_COMPILE_CACHE=/opt/slipway/.compiled \
    NODE_COMPILE_CACHE_PORTABLE=1 \
    MALLOC_ARENA_MAX=2
LABEL org.opencontainers.image.title=Slipway org.opencontainers.image.licenses=Apache-2.0
USER 10002:10002
WORKDIR /opt/slipway
EXPOSE 3000
ENTRYPOINT ["/usr/bin/tini", "--", "/usr/local/bin/node", "--max-semi-space-size=8", "--import=file:///opt/slipway/tools/process/quick-modules.mjs"]
CMD ["apps/main.ts"]
