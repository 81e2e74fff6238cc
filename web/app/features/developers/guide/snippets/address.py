from clearframe import Clearframe

clearframe = Clearframe(base_url="https://clearframe.example")
clearframe.enhance("https://clearframe.example/samples/astronaut.jpg", format="jpeg").save("better.jpg")
