from clearframe import Clearframe

# The key comes from CLEARFRAME_API_KEY.
clearframe = Clearframe(base_url="https://clearframe.example")
clearframe.enhance("photo.jpg", format="png").save("better.png")
