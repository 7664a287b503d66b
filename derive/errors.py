"""The one class of errors that people see: a code with parameters; its sentence stands in the prose catalogues."""

from __future__ import annotations


class DeriveError(Exception):
    """Something that its user can put right, said in one line.

    `code` names the sentence ``errors.<code>`` of the prose catalogues, `params` fill its placeholders.
    Programs (``--format json``) see the code and the parameters, people the sentence.
    """

    def __init__(self, code: str, **params: str | int) -> None:
        super().__init__(code, params)
        self.code = code
        self.params: dict[str, str | int] = dict(params)

    def __str__(self) -> str:
        return f"{self.code}({', '.join(f'{k}={v!r}' for k, v in self.params.items())})"
