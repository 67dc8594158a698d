"""A client of the language server that sends whatever the server announces."""

import contextlib
import json
import queue
import re
import subprocess
import threading

# The requests that a capability announces, with their params besides document and position.
AT_POSITIONS = {
    "hoverProvider": [("textDocument/hover", {})],
    "completionProvider": [("textDocument/completion", {})],
    "signatureHelpProvider": [("textDocument/signatureHelp", {})],
    "definitionProvider": [("textDocument/definition", {})],
    "declarationProvider": [("textDocument/declaration", {})],
    "implementationProvider": [("textDocument/implementation", {})],
    "referencesProvider": [("textDocument/references", {"context": {"includeDeclaration": True}})],
    "documentHighlightProvider": [("textDocument/documentHighlight", {})],
    "linkedEditingRangeProvider": [("textDocument/linkedEditingRange", {})],
    "renameProvider": [("textDocument/prepareRename", {}), ("textDocument/rename", {"newName": "renamed"})],
    "documentOnTypeFormattingProvider": [
        ("textDocument/onTypeFormatting", {"ch": "}", "options": {"tabSize": 2, "insertSpaces": True}})
    ],
}
OPTIONS = {"options": {"tabSize": 2, "insertSpaces": True}}
OF_DOCUMENTS = {
    "documentSymbolProvider": [("textDocument/documentSymbol", {})],
    "codeLensProvider": [("textDocument/codeLens", {})],
    "documentLinkProvider": [("textDocument/documentLink", {})],
    "foldingRangeProvider": [("textDocument/foldingRange", {})],
    "documentFormattingProvider": [("textDocument/formatting", OPTIONS)],
    "semanticTokensProvider": [("textDocument/semanticTokens/full", {}),
                               ("textDocument/semanticTokens/full/delta", {"previousResultId": "0"})],
    "diagnosticProvider": [("textDocument/diagnostic", {})],
}
OF_RANGES = {
    "codeActionProvider": [("textDocument/codeAction", {"context": {"diagnostics": []}})],
    "inlayHintProvider": [("textDocument/inlayHint", {})],
    "documentRangeFormattingProvider": [("textDocument/rangeFormatting", OPTIONS)],
    "semanticTokensProvider": [("textDocument/semanticTokens/range", {})],
}
# Announced by other requests, or asked in another way below.
OTHERS = {"positionEncoding", "textDocumentSync", "selectionRangeProvider", "workspaceSymbolProvider",
          "executeCommandProvider", "workspace", "experimental"}

# The request that completes an item of another one, and the capability that announces it.
RESOLVED = {
    "textDocument/completion": ("completionItem/resolve", "completionProvider"),
    "textDocument/codeAction": ("codeAction/resolve", "codeActionProvider"),
    "textDocument/codeLens": ("codeLens/resolve", "codeLensProvider"),
    "textDocument/documentLink": ("documentLink/resolve", "documentLinkProvider"),
    "textDocument/inlayHint": ("inlayHint/resolve", "inlayHintProvider"),
    "workspace/symbol": ("workspaceSymbol/resolve", "workspaceSymbolProvider"),
}

# An editor that can do everything.
CAPABILITIES = {
    "workspace": {
        "applyEdit": True, "configuration": True, "workspaceFolders": True, "symbol": {"resolveSupport": {"properties": []}},
        "workspaceEdit": {"documentChanges": True, "resourceOperations": ["create", "rename", "delete"]},
        "didChangeWatchedFiles": {"dynamicRegistration": True}, "executeCommand": {},
        "codeLens": {"refreshSupport": True}, "inlayHint": {"refreshSupport": True},
        "semanticTokens": {"refreshSupport": True}, "diagnostics": {"refreshSupport": True},
    },
    "window": {"workDoneProgress": True, "showMessage": {"messageActionItem": {"additionalPropertiesSupport": True}},
               "showDocument": {"support": True}},
    "textDocument": {
        "completion": {"completionItem": {"snippetSupport": True, "resolveSupport": {"properties": ["documentation"]}}},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": [""]}}, "dataSupport": True,
                       "resolveSupport": {"properties": ["edit"]}},
        "inlayHint": {"resolveSupport": {"properties": ["tooltip"]}}, "codeLens": {}, "diagnostic": {},
        "semanticTokens": {"requests": {"full": {"delta": True}, "range": True}, "formats": ["relative"],
                           "tokenTypes": ["function", "keyword", "property", "string"], "tokenModifiers": []},
        "publishDiagnostics": {}, "rename": {"prepareSupport": True}, "hover": {}, "onTypeFormatting": {},
        "foldingRange": {}, "selectionRange": {}, "linkedEditingRange": {},
    },
}


class Client:
    """A session with the server that `command` starts."""

    def __init__(self, command, settings, agrees=(), **options):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, **options)
        self.settings, self.agrees = settings, agrees
        self.last_id, self.answers, self.sent, self.answered = 0, {}, set(), {}
        self.arrived = queue.Queue()
        self.lock = threading.Lock()
        threading.Thread(target=self.read, daemon=True).start()

    def write(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        with self.lock:
            self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            self.process.stdin.flush()

    def read(self):
        stream = self.process.stdout
        while line := stream.readline():
            length = 0
            while line.strip():
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
                line = stream.readline()
            message = json.loads(stream.read(length))
            if "method" not in message:
                self.arrived.put(message)
            elif "id" in message:
                result = self.reply(message["method"], message.get("params") or {})
                # After its end, nobody reads.
                with contextlib.suppress(ValueError, OSError):
                    self.write({"id": message["id"], "result": result})
        self.arrived.put(None)

    def reply(self, method, params):
        """The editor's answer: it applies edits, and its user agrees with the titles `agrees` only."""
        if method == "workspace/configuration":
            return [self.settings for _ in params["items"]]
        if method == "window/showMessageRequest":
            agreeing = (action for action in params.get("actions") or [] if action["title"] in self.agrees)
            return next(agreeing, None)
        return {"applied": True} if method == "workspace/applyEdit" else None

    def notify(self, method, params):
        self.write({"method": method, "params": params})

    def ask(self, method, params):
        """Sends a request, and waits for its result; `None` if it is an error."""
        self.last_id += 1
        self.sent.add(method)
        self.write({"id": self.last_id, "method": method, "params": params})
        while True:
            answer = self.arrived.get(timeout=120)
            assert answer is not None, f"the server ended at {method}"
            if answer.get("id") == self.last_id:
                self.answered[method] = self.answered.get(method, False) or "result" in answer
                return answer.get("result")

    def start(self, folder, documentation):
        """Introduces the editor; returns the methods `chatls/…` that the server or its documentation names."""
        folders = [{"uri": "file://" + folder, "name": "project"}]
        result = self.ask("initialize", {"processId": None, "rootUri": "file://" + folder, "capabilities": CAPABILITIES,
                                         "workspaceFolders": folders, "initializationOptions": self.settings})
        self.capabilities = result["capabilities"]
        known = OTHERS | set(AT_POSITIONS) | set(OF_DOCUMENTS) | set(OF_RANGES)
        assert set(self.capabilities) <= known, f"not sent by this test: {set(self.capabilities) - known}"
        self.notify("initialized", {})
        extensions = self.capabilities["experimental"]["chatls"]
        own = {"chatls/" + name for name, value in extensions.items() if value is True}
        with open(documentation, encoding="utf-8") as file:
            return sorted(own | set(re.findall(r"chatls/\w+", file.read())))

    def has(self, table):
        return [request for name, requests in table.items() if self.capabilities.get(name) for request in requests]

    def visit(self, path, own, most):
        """Opens a document, and sends every request about it."""
        with open(path, encoding="utf-8") as file:
            text = file.read()
        uri = "file://" + path.replace(" ", "%20").replace("$", "%24")
        extension = path.rsplit(".", 1)[-1]
        language = extension if extension in {"json", "jsonl", "ndjson", "sse"} else "markdown"
        self.notify("textDocument/didOpen",
                    {"textDocument": {"uri": uri, "languageId": language, "version": 1, "text": text}})
        document = {"textDocument": {"uri": uri}}
        lines = text.split("\n")
        whole = {"start": {"line": 0, "character": 0}, "end": {"line": len(lines), "character": 0}}
        listed = []
        for method, more in self.has(OF_DOCUMENTS):
            listed += self.listed(method, {**document, **more})
        for method, more in self.has(OF_RANGES):
            listed += self.listed(method, {**document, **more, "range": whole})
        places = [(number, column) for number, line in enumerate(lines) for column in {0, len(line) // 2, len(line)}]
        for line, character in places[::max(1, len(places) // most)]:
            position = {"line": line, "character": character}
            at = {**document, "position": position}
            for method, more in self.has(AT_POSITIONS):
                listed += self.listed(method, {**at, **more})
            self.ask("textDocument/selectionRange", {**document, "positions": [position]})
            for method in own:
                self.ask(method, {**at, "uri": uri, "range": whole, "to": "openai", "format": "html", "count": 1, "uris": [uri],
                                  "other": {"uri": uri, "text": text}, "agent": "claude", "id": "0"})
            for command in self.capabilities["executeCommandProvider"]["commands"]:
                self.ask("workspace/executeCommand", {"command": command, "arguments": [
                    {"uri": uri, "position": position, "range": whole, "to": "fence", "name": "evil", "all": True}]})
        for command in listed:
            self.ask("workspace/executeCommand", {"command": command["command"], "arguments": command.get("arguments")})
        self.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [
            {"range": {"start": whole["start"], "end": whole["start"]}, "text": "x\n"}]})
        self.ask("textDocument/documentSymbol", document)
        self.notify("textDocument/didSave", document)
        self.notify("textDocument/didClose", document)

    def listed(self, method, params):
        """Sends a request, resolves what it returns, and returns the commands in it."""
        result = self.ask(method, params)
        items = result.get("items", []) if isinstance(result, dict) else result or []
        commands = []
        for item in items[:20] if method in RESOLVED else []:
            resolve, announced = RESOLVED[method]
            options = self.capabilities[announced]
            if isinstance(options, dict) and options.get("resolveProvider"):
                item = self.ask(resolve, item) or item
            command = item.get("command")
            if isinstance(command, str):
                command = item
            commands += [command] if command and command["command"].startswith("chatls.") else []
        # Those that only the editor knows are not the server's.
        known = self.capabilities["executeCommandProvider"]["commands"]
        return [command for command in commands if command["command"] in known]

    def end(self):
        self.ask("shutdown", None)
        self.notify("exit", None)
        self.process.stdin.close()
        return self.process.wait(timeout=60)
