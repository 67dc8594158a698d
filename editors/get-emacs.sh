#!/usr/bin/env bash
# Puts Emacs 30 for the terminal into a folder, for a Debian too old to package it, and prints the
# path of `emacs`.
#
#   editors/get-emacs.sh [FOLDER]     FOLDER: by default the project's .cache/editors
#
# With it come packages that the tests use, in FOLDER/emacs-nox/usr/share/emacs/site-lisp/elpa-src:
# markdown-mode and lsp-mode, and package-lint.
# How, and what it needs: deb-root.sh.
. "$(dirname "$(realpath "$0")")/deb-root.sh"

command=emacs wanted=30.1 suite=${CHATLS_EMACS_SUITE:-trixie}
packages=(emacs-nox elpa-markdown-mode elpa-lsp-mode elpa-package-lint)

version_of() { "$1" --version | sed -n '1s/^GNU Emacs //p'; }

make_at_home() {
  local share programs
  share=$(echo "$root"/usr/share/emacs/[0-9]*)
  programs=$(echo "$root"/usr/libexec/emacs/*/*)
  # Emacs Lisp is not compiled to machine code: the compiler for that would find nothing of its own here.
  rm -rf "$root"/usr/{include,lib/gcc,share/doc,share/info,share/locale,share/man}
  patch usr/bin/emacs-nox
  wrapper usr/bin/emacs-nox \
    EMACSLOADPATH="$(find "$share/lisp" -type d ! -path '*/obsolete*' | paste -sd:)" \
    EMACSDATA="$share/etc" EMACSDOC="$share/etc" EMACSPATH="$programs" \
    EMACS_INHIBIT_AUTOMATIC_NATIVE_COMPILATION=1 \
    -- --dump-file="$(echo "$programs"/*.pdmp)"
}

get_editor "$@"
