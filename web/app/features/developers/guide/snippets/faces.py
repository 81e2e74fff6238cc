import json
from clearframe import Clearframe

clearframe = Clearframe(base_url="https://clearframe.example")
task = next(clearframe.tasks(media_type="image"))
output = task["result"]["outputs"][0]
print(json.dumps({name: output[name] for name in ("is_untouched", "faces", "changes", "recipe")}))
