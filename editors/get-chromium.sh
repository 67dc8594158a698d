#!/usr/bin/env bash
# Prints the path of a Chromium that pages can be tested in. As root it installs Debian's, and a font
# with emoji, where they are missing.
#
#   editors/get-chromium.sh [PACKAGE…]     PACKAGE: other programs of Debian, called as their packages are
#
# CHROMIUM: another browser.
set -euo pipefail

fail() {
  echo "$(basename "$0"): $*" >&2
  exit 1
}

browser=${CHROMIUM:-/usr/bin/chromium}
missing=()
[ -n "${CHROMIUM:-}" ] || [ -x "$browser" ] || missing+=(chromium)
[ -e /usr/share/fonts/truetype/noto/NotoColorEmoji.ttf ] || missing+=(fonts-noto-color-emoji)
for package; do
  type -P "$package" >/dev/null || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
  [ "$(id -u)" = 0 ] || fail "missing: apt-get install ${missing[*]}"
  log=$(mktemp)
  trap 'rm -f "$log"' EXIT
  {
    apt-get update &&
      DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "${missing[@]}"
  } >"$log" 2>&1 || { cat "$log" >&2; fail "not installed: ${missing[*]}"; }
fi
[ -x "$browser" ] || fail "there is no browser at $browser"
echo "$browser"
