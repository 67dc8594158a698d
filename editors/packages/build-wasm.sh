#!/usr/bin/env bash
# Builds `chatls.wasm`, the language server for programs in JavaScript, and prints its path.
#
#   editors/packages/build-wasm.sh
#
# Needs cargo; rustup where the standard library of the target is missing; Node, for Binaryen.
set -euo pipefail
cd "$(dirname "$(realpath "$0")")/../.."

target=wasm32-unknown-unknown
[ -d "$(rustc --print target-libdir --target "$target")" ] || rustup target add "$target" >&2
# All browsers have it since Safari 16.4, of 2023; `memchr` is faster with it.
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS='-C target-feature=+simd128'
cargo rustc --locked --lib --crate-type cdylib --target "$target" --no-default-features --profile wasm >&2
wasm=$(realpath "${CARGO_TARGET_DIR:-target}/$target/wasm/chatls.wasm")

npm --prefix editors/packages ci --ignore-scripts --no-fund --no-audit --loglevel=error >&2
# What the compiler uses, and all browsers have.
features=(simd bulk-memory bulk-memory-opt sign-ext mutable-globals nontrapping-float-to-int reference-types multivalue)
editors/packages/node_modules/.bin/wasm-opt "${features[@]/#/--enable-}" -O2 "$wasm" -o "$wasm.optimized" >&2
# A file of its own: cargo has another link to the old one.
mv "$wasm.optimized" "$wasm"
echo "$wasm"
