#!/bin/sh
# Bundles src/ into dist/ and builds the page, web/, into dist/web/. Called by `prepare`, so it must not fail an install that cannot bundle.
cd "$(dirname "$0")/.." || exit 1

if [ ! -d node_modules/rolldown ]; then
  echo 'bosun: development dependencies are absent, so dist/ is left as it is' >&2
  exit 0
fi

# npm puts node_modules/.bin first on the PATH, but only if the install script of `node` was allowed to run.
node=node_modules/node/bin/node
if [ ! -x "$node" ]; then
  node=node
  fit='var v = process.versions.node.split("."); process.exit(+v[0] > 24 || (+v[0] === 24 && +v[1] >= 15) ? 0 : 1)'
  if ! node -e "$fit"; then
    echo 'bosun: bundling needs Node 24.15 or newer; run: npm install-scripts approve node && npm ci' >&2
    exit 0
  fi
fi
"$node" scripts/bundle.ts || exit
"$node" scripts/openapi.ts || exit
"$node" scripts/build-page.ts || exit

# What these leave in dist/.cache makes the first start as fast as any; without it, the first start leaves it.
for plan in examples/todo-api.yaml examples/todo-api-plan.md; do
  "$node" dist/bosun.cjs plan "$plan" >/dev/null 2>&1 || true
done
"$node" scripts/warm-daemon.ts || true
