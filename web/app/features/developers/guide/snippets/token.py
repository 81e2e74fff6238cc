import json
from clearframe import Clearframe

clearframe = Clearframe(base_url="https://clearframe.example")
print(json.dumps(clearframe.create_upload_token(faces={"model": "v2"}, origin="https://shop.example")))
