from clearframe import Clearframe

clearframe = Clearframe(base_url="https://clearframe.example")
result = clearframe.enhance(
    "photo.jpg",
    faces={"model": "v2"},
    color={"model": "golden", "strength": 0.6},
    format="jpeg",
)
result.save("better.jpg")
