from clearframe import Clearframe

clearframe = Clearframe(base_url="https://clearframe.example")
clearframe.video("video.mp4", faces=True).save("better.mp4")
