from pathlib import Path
from clearframe import Clearframe

clearframe = Clearframe(base_url="https://clearframe.example")
result = clearframe.enhance(Path("photo.jpg").read_bytes(), format="jpeg")
result.save("better.jpg")
