from pathlib import Path
from clearframe import Clearframe

clearframe = Clearframe(base_url="https://clearframe.example")
task = next(clearframe.tasks(media_type="image", status=["completed"]))
Path("changes.png").write_bytes(clearframe.changes(task["task_id"]))
