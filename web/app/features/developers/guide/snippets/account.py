import json
from clearframe import Clearframe

clearframe = Clearframe(base_url="https://clearframe.example")
print(json.dumps(clearframe.me()))
