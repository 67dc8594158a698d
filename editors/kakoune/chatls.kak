# chatls in Kakoune, by kakoune-lsp: for ~/.config/kak/kakrc

evaluate-commands %sh{kak-lsp}

# Stream logs, which Kakoune has no file types for.
hook global BufCreate .*\.(jsonl|ndjson|sse) %{
    set-option buffer filetype %val{hook_param_capture_1}
}

# Beside the servers that Markdown has already.
hook -group chatls global BufSetOption filetype=(?:markdown|jsonl|ndjson|sse) %{
    set-option -add buffer lsp_servers %{
        [chatls]
        args = ["serve"]
        root_globs = ["chatls.toml", ".git"]
    }
}

hook -group chatls global WinSetOption filetype=(?:markdown|jsonl|ndjson|sse) %{
    lsp-enable-window
    lsp-inlay-hints-enable window
    lsp-inlay-diagnostics-enable window
}

map global user l ':enter-user-mode lsp<ret>' -docstring 'LSP mode'
map global goto d '<esc>:lsp-definition<ret>' -docstring 'definition'
map global goto r '<esc>:lsp-references<ret>' -docstring 'references'
map global insert <tab> '<a-;>:try lsp-snippets-select-next-placeholders catch %{ execute-keys -with-hooks <lt>tab> }<ret>' -docstring 'next place of a completion'
