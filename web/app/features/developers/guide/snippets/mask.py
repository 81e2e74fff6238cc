from clearframe import Clearframe

clearframe = Clearframe(base_url="https://clearframe.example")
clearframe.enhance("photo.jpg", mask="mask.png").save("masked.png")
