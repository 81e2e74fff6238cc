"""Restores photos and videos through the Clearframe API.

One file, standard library only, Python 3.9 or newer:

    from clearframe import Clearframe

    clearframe = Clearframe()  # CLEARFRAME_API_KEY and CLEARFRAME_URL
    clearframe.enhance("photo.jpg", faces="v2", background=True).save("better.png")

Data have the names of the API's description at /api/docs. Calls that fail for a reason that passes are repeated with
the same idempotency key, so that nothing is enhanced or charged twice.
"""

from __future__ import annotations

import base64
import binascii
import concurrent.futures
import email.utils
import hashlib
import hmac
import http.client
import io
import json
import os
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from typing import (
    Any,
    BinaryIO,
    Callable,
    Dict,
    Iterable,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    TypeVar,
    Union,
)

__all__ = ["BatchItem", "Clearframe", "ClearframeError", "Result", "verify_webhook"]

Json = Dict[str, Any]
Picture = Union[str, "os.PathLike[str]", bytes]
Tool = Union[bool, str, Json]
Progress = Callable[[Json], None]
Value = TypeVar("Value")

_API_PATH = "/api/v1/web"
_DEFAULT_URL = "http://localhost:3000"
_ONE_REQUEST_BYTES = 8_000_000
_PART_BYTES = 4 * 1024 * 1024
_COPY_BYTES = 256 * 1024
_WAIT_SECONDS = 60
_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 8.0
_FINAL = ("completed", "exported", "failed", "invalid", "cancelled")
_WITH_RESULT = ("completed", "exported")
_FORMATS = {"jpeg": "image/jpeg", "png": "image/png", "tiff": "image/tiff", "psd": "image/vnd.adobe.photoshop",
            "photoshop-tiff": "image/tiff;application=photoshop"}
_TYPES = {
    "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "tif": "image/tiff", "tiff": "image/tiff",
    "webp": "image/webp", "psd": "image/vnd.adobe.photoshop", "heic": "image/heic", "heif": "image/heif",
    "avif": "image/avif", "mp4": "video/mp4", "m4v": "video/mp4", "mov": "video/quicktime",
}  # fmt: skip
_TUS = {"Tus-Resumable": "1.0.0"}


class ClearframeError(Exception):
    """An error of the API (`code` is its `error_code`), or `connection.failed`."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: Optional[int] = None,
        request_id: Optional[str] = None,
        remedy: Optional[str] = None,
        retry_after: Optional[float] = None,
        details: Optional[Json] = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        self.request_id = request_id
        self.remedy = remedy
        self.retry_after = retry_after
        self.details = details or {}

    @property
    def is_retryable(self) -> bool:
        """Whether the same request may succeed later."""
        if self.code == "service.not_configured":
            return False
        return self.status in (408, 429, 502, 503, 504) or self.code in (
            "connection.failed",
            "idempotency.in_progress",
            "service.internal",
        )


class Result:
    """The file of a finished picture or video, loaded when it is asked for."""

    def __init__(
        self,
        client: "Clearframe",
        path: str,
        headers: Mapping[str, str],
        task: Optional[Json] = None,
        content: Optional[bytes] = None,
    ) -> None:
        self.task_id = path.rsplit("/", 1)[-1]
        self.headers = headers
        self._client = client
        self._path = path
        self._task = task
        self._content = content

    def task(self) -> Json:
        """What was done: faces with their similarity, recipe, sizes."""
        if self._task is None:
            self._task = self._client._json("GET", self._path)
        return self._task

    def read(self) -> bytes:
        if self._content is None:
            target = io.BytesIO()
            self._copy_to(target)
            self._content = target.getvalue()
        return self._content

    def save(self, path: Union[str, "os.PathLike[str]"], *, overwrite: bool = True) -> None:
        """Writes a temporary file first, so that a file of that name is always complete.

        Raises FileExistsError without `overwrite`.
        """
        folder, name = os.path.split(os.fspath(path))
        temporary = os.path.join(folder, f".{name}.{uuid.uuid4()}.part")
        try:
            with open(temporary, "xb") as file:
                if self._content is not None:
                    file.write(self._content)
                else:
                    self._copy_to(file)
                file.flush()
                os.fsync(file.fileno())
            if overwrite:
                os.replace(temporary, path)
            else:
                os.link(temporary, path)
        finally:
            if os.path.exists(temporary):
                os.unlink(temporary)

    def _copy_to(self, target: BinaryIO) -> None:
        def load() -> None:
            target.seek(0)
            target.truncate()
            with self._client._open("GET", self._address(), {}) as response:
                expected = response.headers.get("Content-Length")
                for chunk in iter(lambda: response.read(_COPY_BYTES), b""):
                    target.write(chunk)
            if expected is not None and target.tell() != int(expected):
                raise http.client.IncompleteRead(b"", int(expected) - target.tell())

        try:
            self._client._retry(load)
        except ClearframeError as error:
            if error.status != 403:
                raise
            # The address has expired.
            self._task = None
            self._client._retry(load)

    def _address(self) -> str:
        task = self.task()
        source = task if "output_url" in task else task["result"]
        return str(source["output_url"])


class BatchItem(NamedTuple):
    """A picture of a batch, as soon as it has ended."""

    index: int
    picture: Picture
    task_id: str
    result: Optional[Result]
    error: Optional[Exception]


class _File(NamedTuple):
    """A file to send: its bytes, or where they are."""

    name: Optional[str]
    size: int
    open: Callable[[], BinaryIO]

    def content_type(self, fallback: str) -> str:
        return _TYPES.get((self.name or "").rsplit(".", 1)[-1].lower(), fallback)

    def sha256(self) -> str:
        digest = hashlib.sha256()
        with self.open() as file:
            for chunk in iter(lambda: file.read(_COPY_BYTES), b""):
                digest.update(chunk)
        return digest.hexdigest()

    def part(self, start: int, length: int) -> bytes:
        with self.open() as file:
            file.seek(start)
            return file.read(length)


class Clearframe:
    """Calls the API with a key."""

    def __init__(
        self,
        api_key: Optional[str] = None,
        base_url: Optional[str] = None,
        *,
        device_id: Optional[str] = None,
        retry_seconds: float = 120,
        timeout: float = 100,
    ) -> None:
        """`timeout` is that of an answer, longer than the longest wait that a request asks for."""
        key = api_key or os.environ.get("CLEARFRAME_API_KEY")
        if not key:
            raise ValueError("Pass api_key, or set CLEARFRAME_API_KEY.")
        url = base_url or os.environ.get("CLEARFRAME_URL") or _DEFAULT_URL
        self._base = re.sub(r"/api(/v1(/web)?)?$", "", url.rstrip("/")) + _API_PATH
        self._headers = {"Authorization": f"Bearer {key}", **({"X-Device-Id": device_id} if device_id else {})}
        self._retry_seconds = retry_seconds
        self._timeout = timeout

    def enhance(
        self,
        picture: Picture,
        *,
        mask: Optional[Picture] = None,
        format: Optional[str] = None,
        jpeg_quality: Optional[int] = None,
        file_name: Optional[str] = None,
        keep_location: Optional[bool] = None,
        output_upload_url: Optional[str] = None,
        callback_url: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        on_progress: Optional[Progress] = None,
        **tools: Any,
    ) -> Result:
        """Enhances a picture: a path, bytes, or an https address.

        Tools are `faces`, `background` (True, a model or a dict), `retouch`, `blur`, `color`, `upscale`, or `pipeline`
        (the API's `ai_pipeline`, or "auto"). `output_size` is "standard" or, with Business, "original". `format` is png,
        jpeg, tiff or, with layers, psd or photoshop-tiff. `output_upload_url` receives the result by one PUT,
        `callback_url` the events of the request.
        `mask` limits the tools to a part of the picture: an 8-bit gray PNG of its size, white where they apply.
        """
        address = _address_in(picture)
        file = None if address else _file_of(picture, file_name)
        mask_address = None if mask is None else _address_in(mask)
        mask_file = None if mask is None or mask_address else _file_of(mask)
        if file and mask is None and file.size > _ONE_REQUEST_BYTES:
            options = dict(
                format=format,
                jpeg_quality=jpeg_quality,
                keep_location=keep_location,
                output_upload_url=output_upload_url,
                callback_url=callback_url,
                **tools,
            )
            task = self.upload(picture, file_name=file_name, idempotency_key=idempotency_key, **options)
            return self.result(task["task_id"], on_progress)
        pipeline = _pipeline_of(tools)
        query = {
            "input_url": address,
            "mask_url": mask_address,
            "pipeline": json.dumps(pipeline) if isinstance(pipeline, dict) else pipeline,
            "format": format,
            "jpeg_quality": jpeg_quality,
            "file_name": file.name if file else file_name,
            "keep_location": None if keep_location is None else str(keep_location).lower(),
            "output_upload_url": output_upload_url,
            "callback_url": callback_url,
        }
        headers = {} if on_progress else {"Prefer": f"wait={_WAIT_SECONDS}"}
        body = file.part(0, file.size) if file else None
        if mask_file:
            headers["Content-Type"], body = _form_of(mask_file, file)
        elif file:
            headers["Content-Type"] = file.content_type("image/jpeg")
        status, answer, content = self._request(
            "POST",
            "/enhance?" + urllib.parse.urlencode({name: value for name, value in query.items() if value is not None}),
            headers=headers,
            body=body,
            idempotency_key=idempotency_key,
        )
        if status == 202:
            return self.result(json.loads(content)["task_id"], on_progress)
        task_id = answer.get("X-Clearframe-Task-Id") or answer.get("Location", "").rsplit("/", 1)[-1]
        return Result(self, f"/tasks/{task_id}", answer, content=content)

    def upload(
        self,
        picture: Picture,
        *,
        file_name: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        **options: Any,
    ) -> Json:
        """Sends a picture, in parts when it has more than 8 MB, and starts it. Returns the task.

        With the same idempotency key another process continues, unless the earlier task ended without a result.
        """
        file = _file_of(picture, file_name)
        first = idempotency_key or str(uuid.uuid4())
        attempt = 1
        while True:
            key = first if attempt == 1 else f"{first}.{attempt}"
            created, is_replayed = self._announce([file], options, key)
            target = created["task_list"][0]
            if not is_replayed or not self._has_ended_in_vain(target["task_id"]):
                return self._start(created["bulk_upload_id"], target, file)
            attempt += 1

    def batch(self, pictures: Iterable[Picture], *, concurrency: int = 8, **options: Any) -> Iterator[BatchItem]:
        """Enhances up to 500 pictures as one batch, and yields each as it ends. One that fails doesn't end the others."""
        given = list(pictures)
        sources = [_address_in(picture) or _file_of(picture) for picture in given]
        created, _ = self._announce(sources, options, str(uuid.uuid4()))
        targets = created["task_list"]

        def work(index: int) -> Result:
            source = sources[index]
            # A picture at an address starts when the server has fetched it.
            if isinstance(source, _File):
                self._start(created["bulk_upload_id"], targets[index], source)
            return self.result(targets[index]["task_id"])

        with concurrent.futures.ThreadPoolExecutor(concurrency) as pool:
            running = {pool.submit(work, index): index for index in range(len(given))}
            try:
                for ended in concurrent.futures.as_completed(running):
                    index, error = running[ended], ended.exception()
                    if error is not None and not isinstance(error, Exception):
                        raise error
                    result = None if error else ended.result()
                    yield BatchItem(index, given[index], targets[index]["task_id"], result, error)
            finally:
                for waiting in running:
                    waiting.cancel()

    def video(
        self,
        video: Picture,
        *,
        file_name: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        on_progress: Optional[Progress] = None,
        **tools: Any,
    ) -> Result:
        """Enhances a video, MP4 or MOV, with `faces`, `background`, `color` or `pipeline`."""
        file = _file_of(video, file_name)
        body = _without_none(
            video_content_type=file.content_type("video/mp4"),
            video_metadata=_without_none(file_name=file.name, size=file.size),
            ai_pipeline=_pipeline_of(tools),
        )
        created = self._json("POST", "/video-tasks", body, idempotency_key=idempotency_key)
        video_id = created["video_task_id"]
        self._send(created, file, lambda: self._json("POST", f"/tasks/{video_id}/upload"))
        self._json("POST", f"/video-tasks/{video_id}/process")
        return self._wait(f"/video-tasks/{video_id}", on_progress, lambda task: task["result"] is not None)

    def create_upload_token(
        self,
        *,
        format: Optional[str] = None,
        origin: Optional[str] = None,
        expires_in_seconds: Optional[int] = None,
        **tools: Any,
    ) -> Json:
        """A token with which a page enhances one picture without the key.

        Tools and format are fixed by the token, or left to the page; `origin` is the only one whose pages may use it.
        """
        body = _without_none(
            ai_pipeline=_pipeline_of(tools),
            output_content_type=_FORMATS.get(format, format) if format else None,
            origin=origin,
            expires_in_seconds=expires_in_seconds,
        )
        return self._json("POST", "/upload-tokens", body)

    def analyze(self, picture: Picture) -> Json:
        """Measures a picture without keeping it, and suggests tools. Free."""
        file = _file_of(picture)
        headers = {"Content-Type": file.content_type("image/jpeg")}
        return json.loads(self._request("POST", "/analyze", headers=headers, body=file.part(0, file.size))[2])

    def me(self) -> Json:
        """The account of the key, with its plan and limits."""
        return self._json("GET", "/users/@me")

    def usage(
        self, *, start: Optional[str] = None, end: Optional[str] = None, key_id: Optional[str] = None
    ) -> Iterator[Json]:
        """What keys had made by day (UTC) and key, oldest first: by default of the last 30 days.

        `start` and `end` are days such as "2026-11-30", both included. A live key sees the account's live keys.
        """
        query = _without_none(**{"from": start}, to=end, key_id=key_id, limit=1000)
        while True:
            page = self._json("GET", "/usage?" + urllib.parse.urlencode(query))
            yield from page["data"]
            if not page["has_more"] or not page["data"]:
                return
            last = page["data"][-1]
            query["starting_after"] = f"{last['day']}:{last['key_id']}"

    def task(self, task_id: str) -> Json:
        return self._json("GET", f"/tasks/{task_id}")

    def tasks(self, *, status: Sequence[str] = (), media_type: Optional[str] = None) -> Iterator[Json]:
        """Newest first, page by page as they are read."""
        query: List[Tuple[str, str]] = [("limit", "100"), *(("status", each) for each in status)]
        if media_type:
            query.append(("media_type", media_type))
        after: List[Tuple[str, str]] = []
        while True:
            page = self._json("GET", "/tasks?" + urllib.parse.urlencode(query + after))
            yield from page["data"]
            if not page["has_more"] or not page["data"]:
                return
            after = [("starting_after", page["data"][-1]["task_id"])]

    def result(self, task_id: str, on_progress: Optional[Progress] = None) -> Result:
        """Waits until the task has ended. `on_progress` gets the task every few seconds."""
        return self._wait(f"/tasks/{task_id}", on_progress, lambda task: task["output_url"] is not None)

    def reprocess(self, task_id: str, *, on_progress: Optional[Progress] = None, **tools: Any) -> Result:
        """Processes a finished picture again from its original, as a further result."""
        order = _without_none(client_task_id=task_id, ai_pipeline=_pipeline_of(tools))
        upload_id = self.task(task_id)["bulk_upload_id"]
        self._json("POST", f"/tasks/bulk-upload/{upload_id}/reprocess", {"input_reprocess_list": [order]})
        return self.result(task_id, on_progress)

    def changes(self, task_id: str) -> bytes:
        """What the result changed: a gray PNG, at most 4096 pixels a side, white where it differs most. Free."""
        headers = {"Content-Type": "application/json"}
        return self._request("POST", f"/tasks/{task_id}/changes", headers=headers, body=b"{}")[2]

    def delete(self, task_ids: Sequence[str]) -> List[str]:
        """Deletes tasks with their files at once. Returns the ids that were unknown."""
        left = self._json("DELETE", "/tasks/delete", {"task_ids": list(task_ids)})
        return left["not_found"] if left else []

    def _announce(self, sources: Sequence[Union[_File, str]], options: Json, key: str) -> Tuple[Json, bool]:
        """Files to send, or addresses from which the server fetches them."""
        tools = {name: value for name, value in options.items() if name in _TOOLS}
        unknown = options.keys() - _TOOLS - {"format", "jpeg_quality", "keep_location", "output_upload_url", "callback_url"}
        if unknown:
            raise TypeError(f"Unknown options: {', '.join(sorted(unknown))}")
        wanted = options.get("format")
        pictures = [
            _without_none(
                **_input_of(source),
                output_content_type=_FORMATS.get(wanted, wanted) if wanted else None,
                ai_pipeline=_pipeline_of(tools),
                jpeg_quality=options.get("jpeg_quality"),
                keep_location=options.get("keep_location"),
                output_upload_url=options.get("output_upload_url"),
            )
            for source in sources
        ]
        body = json.dumps(_without_none(input_task_list=pictures, callback_url=options.get("callback_url"))).encode()
        headers = {"Content-Type": "application/json"}
        _, answer, content = self._request(
            "POST", "/tasks/bulk-upload", headers=headers, body=body, idempotency_key=key
        )
        return json.loads(content), answer.get("Idempotency-Replayed") == "true"

    def _has_ended_in_vain(self, task_id: str) -> bool:
        try:
            return self.task(task_id)["status"] in ("failed", "invalid", "cancelled")
        except ClearframeError as error:
            if error.status == 404:
                return True
            raise

    def _start(self, upload_id: str, target: Json, file: _File) -> Json:
        task_id = target["task_id"]
        self._send(target, file, lambda: self._json("POST", f"/tasks/{task_id}/upload"))
        upload = self._json("POST", f"/tasks/bulk-upload/{upload_id}/process", {"task_ids": [task_id]})
        return next(task for task in upload["task_list"] if task["task_id"] == task_id)

    def _send(self, target: Json, file: _File, renew: Callable[[], Json]) -> None:
        try:
            self._send_to(target, file)
        except ClearframeError as error:
            # Sent before: its answer was lost.
            if error.code == "uploads.closed":
                return
            if error.status != 403:
                raise
            self._send_to(renew(), file)

    def _send_to(self, target: Json, file: _File) -> None:
        if target["resumable_url"] is not None:
            return self._send_parts(target["resumable_url"], file)

        def put() -> None:
            with self._open("PUT", target["upload_url"], target["upload_headers"], file.part(0, file.size)):
                pass

        return self._retry(put)

    def _send_parts(self, url: str, file: _File) -> None:
        """By tus 1.0: after a lost connection the server is asked for what it has."""

        def stored() -> int:
            with self._open("HEAD", url, _TUS) as response:
                return int(response.headers["Upload-Offset"])

        known: Optional[int] = None

        def send_next() -> int:
            nonlocal known
            offset = stored() if known is None else known
            known = None
            if offset >= file.size:
                return offset
            headers = {**_TUS, "Upload-Offset": str(offset), "Content-Type": "application/offset+octet-stream"}
            try:
                with self._open("PATCH", url, headers, file.part(offset, _PART_BYTES)) as response:
                    return int(response.headers["Upload-Offset"])
            except ClearframeError as error:
                if error.code != "uploads.wrong_offset":
                    raise
                return stored()

        while known is None or known < file.size:
            known = self._retry(send_next)

    def _wait(self, path: str, on_progress: Optional[Progress], is_complete: Callable[[Json], bool]) -> Result:
        pause = _FIRST_PAUSE
        while True:
            headers = {} if on_progress else {"Prefer": f"wait={_WAIT_SECONDS}"}
            _, answer, content = self._request("GET", path, headers=headers)
            task = json.loads(content)
            if on_progress:
                on_progress(task)
            is_final = task["status"] in _FINAL
            if is_final and task["status"] not in _WITH_RESULT:
                code = task["error_code"] or f"tasks.{task['status']}"
                raise ClearframeError(f"The result was not made: {code}.", code=code)
            if is_final and is_complete(task):
                return Result(self, path, answer, task)
            if is_final or "Preference-Applied" not in answer:
                time.sleep(pause)
                pause = min(pause * 1.3, 3.0)

    def _json(self, method: str, path: str, body: Optional[Json] = None, idempotency_key: Optional[str] = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {} if body is None else {"Content-Type": "application/json"}
        status, _, content = self._request(method, path, headers=headers, body=data, idempotency_key=idempotency_key)
        return None if status == 204 else json.loads(content)

    def _request(
        self,
        method: str,
        path: str,
        *,
        headers: Mapping[str, str],
        body: Optional[bytes] = None,
        idempotency_key: Optional[str] = None,
    ) -> Tuple[int, Mapping[str, str], bytes]:
        key = idempotency_key or (str(uuid.uuid4()) if method == "POST" else None)
        sent = {**self._headers, **({"Idempotency-Key": key} if key else {}), **headers}

        def once() -> Tuple[int, Mapping[str, str], bytes]:
            with self._open(method, self._base + path, sent, body) as response:
                return response.status, response.headers, response.read()

        return self._retry(once)

    def _open(
        self, method: str, url: str, headers: Mapping[str, str], body: Optional[bytes] = None
    ) -> http.client.HTTPResponse:
        request = urllib.request.Request(url, data=body, headers=dict(headers), method=method)
        try:
            return _OPENER.open(request, timeout=self._timeout)
        except urllib.error.HTTPError as error:
            with error:
                raise _error_of(error) from None

    def _retry(self, attempt: Callable[[], Value]) -> Value:
        """Repeats until it succeeds, fails for good, or the time for repetitions is over."""
        end: Optional[float] = None
        failures = 0
        while True:
            try:
                return attempt()
            except ClearframeError as caught:
                error = caught
            except (OSError, http.client.HTTPException) as caught:
                reason = getattr(caught, "reason", caught)
                error = ClearframeError(f"No answer from the server ({reason}).", code="connection.failed")
                error.__cause__ = caught
            if not error.is_retryable:
                raise error
            end = end or time.monotonic() + self._retry_seconds
            pause = error.retry_after
            if pause is None:
                pause = _FIRST_PAUSE / 2 + random.random() * min(_FIRST_PAUSE * 2**failures, _LONGEST_PAUSE)
            if time.monotonic() + pause > end:
                raise error
            time.sleep(pause)
            failures += 1


def verify_webhook(
    body: Union[bytes, str],
    headers: Mapping[str, str],
    secret: Union[str, Sequence[str]],
    *,
    tolerance: float = 300,
) -> Json:
    """Checks a delivery by the Standard Webhooks scheme and returns its event.

    `body` is as received, `secret` is `whsec_…`; during a rotation, the new and the old one.
    Raises ClearframeError `webhooks.signature_invalid`.
    """
    received = {name.lower(): value for name, value in headers.items()}
    message_id, timestamp, signatures = (
        received.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature")
    )
    if not message_id or not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise _invalid_signature("The headers webhook-id and webhook-timestamp are missing or wrong.")
    if abs(time.time() - int(timestamp)) > tolerance:
        raise _invalid_signature("The timestamp is too old or too new.")
    content = body.encode() if isinstance(body, str) else body
    signed = f"{message_id}.{timestamp}.".encode() + content
    given = [part[3:].encode() for part in signatures.split(" ") if part.startswith("v1,")]
    for each in [secret] if isinstance(secret, str) else secret:
        try:
            key = base64.b64decode(each[6:] if each.startswith("whsec_") else each, validate=True)
        except binascii.Error as cause:
            raise ValueError("A webhook secret is `whsec_` and Base64.") from cause
        expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
        if any(hmac.compare_digest(expected, signature) for signature in given):
            try:
                return json.loads(content)
            except ValueError as cause:
                raise _invalid_signature("The body is no JSON.") from cause
    raise _invalid_signature("No signature matches.")


def _invalid_signature(message: str) -> ClearframeError:
    return ClearframeError(message, code="webhooks.signature_invalid")


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """urllib would send the key to the host that an answer redirects to."""

    def redirect_request(self, *_: Any) -> None:
        return None


_OPENER = urllib.request.build_opener(_NoRedirect)

_TOOL_NAMES = {
    "faces": "face_enhance",
    "retouch": "face_lifting",
    "background": "background_enhance",
    "blur": "bokeh",
    "fade": "fade",
    "color": "color_enhance",
}
_TOOLS = frozenset([*_TOOL_NAMES, "upscale", "output_size", "pipeline"])


def _pipeline_of(tools: Mapping[str, Any]) -> Union[Json, str, None]:
    """None when no tool is named, which leaves the choice to the server."""
    unknown = tools.keys() - _TOOLS
    if unknown:
        raise TypeError(f"Unknown options: {', '.join(sorted(unknown))}")
    chosen = {name: value for name, value in tools.items() if value is not None}
    size = chosen.pop("output_size", None)
    if size is not None:
        inner = _pipeline_of(chosen)
        if inner is None:
            inner = _pipeline_of({"faces": True, "background": True})
        return {**({"auto": True} if inner == "auto" else inner), "output_size": size}
    if "pipeline" in chosen:
        return chosen["pipeline"]
    if not chosen:
        return None
    pipeline: Json = {}
    for name, tool in _TOOL_NAMES.items():
        value = chosen.get(name, False)
        if value is not False:
            pipeline[tool] = value if isinstance(value, dict) else {"model": "base" if value is True else value}
    if "upscale" in chosen:
        pipeline["upscale"] = {"factor": chosen["upscale"]}
    return pipeline


def _address_in(picture: Picture) -> Optional[str]:
    return picture if isinstance(picture, str) and re.match(r"https?://", picture, re.I) else None


def _input_of(source: Union[_File, str]) -> Json:
    if isinstance(source, str):
        return {"input_url": source}
    return {
        "image_content_type": source.content_type("image/jpeg"),
        "file_name": source.name,
        "size_bytes": source.size,
        "sha256": source.sha256(),
    }


def _file_of(source: Picture, name: Optional[str] = None) -> _File:
    if isinstance(source, bytes):
        return _File(name, len(source), lambda: io.BytesIO(source))
    path = os.fspath(source)
    return _File(name or os.path.basename(path), os.path.getsize(path), lambda: open(path, "rb"))


def _form_of(mask: _File, picture: Optional[_File]) -> Tuple[str, bytes]:
    """The media type and the bytes of a form; the name of the picture is a parameter of the query."""
    boundary = uuid.uuid4().hex
    parts = [("mask", mask, "image/png")]
    if picture:
        parts.append(("file", picture, picture.content_type("image/jpeg")))
    body = b"".join(
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"; filename="{name}"\r\n'
        f"Content-Type: {content_type}\r\n\r\n".encode() + file.part(0, file.size) + b"\r\n"
        for name, file, content_type in parts
    )
    return f"multipart/form-data; boundary={boundary}", body + f"--{boundary}--\r\n".encode()


def _without_none(**members: Any) -> Json:
    return {name: value for name, value in members.items() if value is not None}


def _error_of(response: urllib.error.HTTPError) -> ClearframeError:
    try:
        problem = json.loads(response.read())
    except (ValueError, OSError, http.client.HTTPException):
        problem = None
    if not isinstance(problem, dict):
        problem = {}
    details = problem.get("details") or {}
    description = problem.get("error_description") or f"The server answered {response.code}."
    return ClearframeError(
        " ".join([description, *(f"{field}: {text}" for field, text in details.items())]),
        code=problem.get("error_code") or f"http.{response.code}",
        status=response.code,
        request_id=problem.get("request_id") or response.headers.get("X-Request-Id"),
        remedy=problem.get("remedy"),
        retry_after=_seconds_of(response.headers.get("Retry-After")),
        details=details,
    )


def _seconds_of(header: Optional[str]) -> Optional[float]:
    """Seconds of a `Retry-After`, which is a number or a date."""
    if header is None:
        return None
    if header.isdigit():
        return float(header)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(header).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
