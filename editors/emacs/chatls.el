;;; chatls.el --- Chat transcripts with tool calls, by chatls and Eglot  -*- lexical-binding: t; -*-

;; Author: The chatls authors
;; Version: 0.1.0
;; Package-Requires: ((emacs "30.1"))
;; Keywords: languages, tools
;; URL: https://github.com/chatls/chatls
;; SPDX-License-Identifier: MIT OR Apache-2.0

;;; Commentary:

;; chatls is a language server for transcripts of AI conversations with
;; tool calls in them, and for logs of such conversations as JSON lines
;; or server-sent events.  In your init file:
;;
;;   (require 'chatls)
;;   (chatls-setup)
;;
;; Eglot then starts chatls in Markdown files and in such logs.  What
;; Eglot has no commands for is here: to fold batches of tool calls into
;; one line, and to go from call to call.

;;; Code:

(require 'eglot)

(defgroup chatls nil
  "Chat transcripts with tool calls."
  :group 'eglot
  :prefix "chatls-")

(defcustom chatls-command '("chatls" "serve")
  "The program that is started, and its arguments."
  :type '(repeat string))

(defface chatls-label '((t :inherit shadow :weight bold))
  "The line that a folded batch of tool calls is shown as.")

(defconst chatls--languages
  '((markdown-mode . "markdown")
    (gfm-mode . "markdown")
    (markdown-ts-mode . "markdown")
    (chatls-transcript-mode . "markdown")
    (chatls-jsonl-mode . "jsonl")
    (chatls-sse-mode . "sse"))
  "The modes that chatls is for, and what the server knows them as.")

(defun chatls--serve (languages)
  "Have Eglot know chatls as the server for the modes of LANGUAGES."
  (add-to-list 'eglot-server-programs
               (cons (mapcar (lambda (language)
                               (list (car language) :language-id (cdr language)))
                             languages)
                     (lambda (&rest _) chatls-command))))

;;;###autoload
(defun chatls-setup ()
  "Have Eglot start chatls in Markdown and in logs of streams.
Files of the names *.md that no other mode takes, and *.jsonl, *.ndjson
and *.sse, open in modes of this package."
  (add-to-list 'auto-mode-alist '("\\.\\(?:jsonl\\|ndjson\\)\\'" . chatls-jsonl-mode))
  (add-to-list 'auto-mode-alist '("\\.sse\\'" . chatls-sse-mode))
  ;; After all others: a package with better support for Markdown takes precedence.
  (add-to-list 'auto-mode-alist '("\\.md\\'" . chatls-transcript-mode) t)
  (chatls--serve chatls--languages)
  (dolist (language chatls--languages)
    (add-hook (intern (format "%s-hook" (car language))) #'chatls-ensure)))

(defvar chatls--missed nil
  "Whether it was told that there is no chatls.")

(defun chatls-ensure ()
  "Start chatls for this buffer, or say once that there is none."
  (interactive)
  (cond ((executable-find (car chatls-command) t)
         (eglot-ensure))
        ((or (not chatls--missed) (called-interactively-p 'any))
         (setq chatls--missed t)
         (display-warning 'chatls (format "There is no program `%s'.  Put it on your PATH, or set \
`chatls-command'; then M-x chatls-ensure" (car chatls-command))))))

;;;; Chats of gptel

(defvar gptel-mode)

;;;###autoload
(defun chatls-gptel-setup ()
  "Have chatls run in chats of gptel, once they are saved as files.
Their major mode is `org-mode' or one of those that `chatls-setup' is
for, see `gptel-default-mode'."
  (chatls--serve '((org-mode . "org")))
  (add-hook 'gptel-mode-hook #'chatls--in-gptel))

(defun chatls--in-gptel ()
  "Start chatls in this chat, at once or when it gets a file."
  (when (and (bound-and-true-p gptel-mode)
             (apply #'derived-mode-p 'org-mode (mapcar #'car chatls--languages)))
    (if buffer-file-name
        (chatls-ensure)
      ;; Eglot starts a server only for buffers with a file.
      (add-hook 'after-set-visited-file-name-hook #'chatls--in-gptel nil t))))

;;;; Modes

;;;###autoload
(define-derived-mode chatls-transcript-mode text-mode "Transcript"
  "A transcript, where no package for Markdown is installed."
  ;; The server indents payloads; Emacs would indent them again by the preceding line.
  (electric-indent-local-mode -1)
  (setq-local font-lock-defaults
              '((("^#+ .*" . 'bold)
                 ("^\\*\\*[^*\n]+:\\*\\*" . 'bold)
                 ("^[> ]*\\(```+.*\\|###:\\)" . font-lock-keyword-face)
                 ("</?tool>" . font-lock-keyword-face))
                t)))

;;;###autoload
(define-derived-mode chatls-jsonl-mode js-json-mode "JSON lines"
  "A log of a stream, with a record of JSON on each line."
  (setq-local truncate-lines t))

;;;###autoload
(define-derived-mode chatls-sse-mode chatls-jsonl-mode "SSE"
  "A log of a stream of server-sent events.")

;;;; Calls

(defun chatls-next-call (&optional count)
  "Go to the next call of a tool, or to the one COUNT further."
  (interactive "p")
  (let ((use (plist-get (chatls--ask :chatls/nextToolUse :nextToolUse
                                     :position (eglot--pos-to-lsp-position)
                                     :count (or count 1))
                        :toolUse)))
    (unless use
      (user-error "No more tool calls"))
    (push-mark nil t)
    (goto-char (car (chatls--points (list (plist-get (plist-get use :selectionRange) :start)))))
    (dolist (fold (chatls--folds (point) (1+ (point))))
      (delete-overlay fold))))

(defun chatls-previous-call (&optional count)
  "Go to the previous call of a tool, or to the one COUNT before."
  (interactive "p")
  (chatls-next-call (- (or count 1))))

(defun chatls--ask (method feature &rest parameters)
  "Ask the server for METHOD in this buffer, with PARAMETERS, a plist.
FEATURE is what a server that knows METHOD announces."
  (let ((server (eglot-current-server)))
    (unless (and server (eglot-server-capable :experimental :chatls feature))
      (user-error (if server "This is no chatls, or one too old for this command"
                    "chatls does not run here: M-x chatls-ensure")))
    ;; Unlike `jsonrpc-request', this first sends pending changes.
    (eglot--request server method
                    `(:textDocument (:uri ,(eglot-path-to-uri buffer-file-name)) ,@parameters))))

(defun chatls--points (positions)
  "Return the points of LSP POSITIONS, which are in the order of the buffer.
Eglot counts the lines from the start of the buffer for each position;
this goes through the buffer once."
  (save-excursion
    (save-restriction
      (widen)
      (goto-char (point-min))
      (let ((row 0))
        (mapcar (lambda (position)
                  (forward-line (- (plist-get position :line) row))
                  (setq row (plist-get position :line))
                  (funcall eglot-move-to-linepos-function (plist-get position :character))
                  (point))
                positions)))))

;;;; Folds

(defvar-keymap chatls-fold-map
  :doc "Keys on a folded batch."
  "RET" #'chatls-toggle-batch
  "TAB" #'chatls-toggle-batch
  "<mouse-1>" #'chatls-toggle-batch)

(defun chatls-fold-batches ()
  "Show every batch as one line that says what it did."
  (interactive)
  (chatls-unfold-batches)
  (let ((batches (chatls--batches)))
    (mapc #'chatls--fold batches)
    (message "%d folded" (length batches))))

(defun chatls-unfold-batches ()
  "Show the document as it is written."
  (interactive)
  (mapc #'delete-overlay (chatls--folds (point-min) (point-max))))

(defun chatls-toggle-batch (&optional event)
  "Fold the batch at point or at a click EVENT, or unfold it."
  (interactive (list last-nonmenu-event))
  (when (mouse-event-p event)
    (mouse-set-point event))
  (if-let* ((folds (chatls--folds (point) (1+ (point)))))
      (mapc #'delete-overlay folds)
    (if-let* ((here (eglot--pos-to-lsp-position))
              (batch (seq-find (lambda (batch) (<= (nth 0 batch) (point) (nth 1 batch)))
                               (chatls--batches :range `(:start ,here :end ,here)))))
        (progn (goto-char (car batch))
               (chatls--fold batch))
      (user-error "There is no tool call here"))))

(defun chatls--batches (&rest parameters)
  "Return the start, end and label of batches, and of calls in none.
PARAMETERS, a plist, may have the range that they touch."
  (let* ((answer (apply #'chatls--ask :chatls/toolUses :toolUses parameters))
         (alone (seq-remove (lambda (use) (plist-get use :batch)) (plist-get answer :toolUses))))
    (seq-mapcat (lambda (list)
                  (let ((points (chatls--points (seq-mapcat #'chatls--ends list))))
                    (seq-map (lambda (it) (list (pop points) (pop points) (plist-get it :label)))
                             list)))
                (list (plist-get answer :batches) alone))))

(defun chatls--ends (it)
  "Return the start and end of the LSP range of IT."
  (let ((range (plist-get it :range)))
    (list (plist-get range :start) (plist-get range :end))))

(defun chatls--fold (batch)
  "Show BATCH, a list of start, end and label, as its label."
  (pcase-let* ((`(,start ,end ,label) batch)
               (end (if (eq (char-before end) ?\n) (1- end) end))
               (fold (make-overlay start end nil t)))
    (add-to-invisibility-spec 'chatls)
    (overlay-put fold 'category 'chatls-fold)
    (overlay-put fold 'chatls-label
                 (propertize label 'face 'chatls-label 'keymap chatls-fold-map))
    (chatls--hide fold t)))

(defun chatls--hide (fold hide)
  "Show FOLD as its label if HIDE, else as what is in it."
  (overlay-put fold 'invisible (and hide 'chatls))
  (overlay-put fold 'after-string (and hide (overlay-get fold 'chatls-label))))

(defun chatls--folds (start end)
  "The folds between START and END."
  (seq-filter (lambda (overlay) (eq (overlay-get overlay 'category) 'chatls-fold))
              (overlays-in start end)))

(put 'chatls-fold 'evaporate t)
(put 'chatls-fold 'keymap chatls-fold-map)
(put 'chatls-fold 'isearch-open-invisible #'delete-overlay)
(put 'chatls-fold 'isearch-open-invisible-temporary #'chatls--hide)

(provide 'chatls)
;;; chatls.el ends here
