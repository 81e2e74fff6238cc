from clearframe import Clearframe

clearframe = Clearframe(base_url="https://clearframe.example")
for item in clearframe.batch(["photo.jpg", "photo.jpg"], format="jpeg"):
    if item.result:
        item.result.save(f"better-{item.index}.jpg")
    else:
        print(item.index, item.error)
