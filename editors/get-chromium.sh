#!/usr/bin/env bash
# Prints the path of a Chromium that pages can be tested in. As root it installs Debian's, and a font
# with emoji, where they are missing.
#
#   editors/get-chromium.sh
#
# CHROMIUM: another browser.
set -euo pipefail

browser=${CHROMIUM:-/usr/bin/chromium}
missing=()
[ -x "$browser" ] || missing+=(chromium)
[ -e /usr/share/fonts/truetype/noto/NotoColorEmoji.ttf ] || missing+=(fonts-noto-color-emoji)
if [ ${#missing[@]} -gt 0 ]; then
  [ "$(id -u)" = 0 ] || { echo "$(basename "$0"): missing: apt-get install ${missing[*]}" >&2; exit 1; }
  {
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -qq --yes --no-install-recommends "${missing[@]}"
  } >&2
fi
[ -x "$browser" ] || { echo "$(basename "$0"): there is no browser at $browser" >&2; exit 1; }
echo "$browser"
