from clearframe import Clearframe

# Repeats what fails for a reason that passes; the key holds for another process, too.
clearframe = Clearframe(base_url="https://clearframe.example")
clearframe.enhance("photo.jpg", format="png", idempotency_key="order-1042-photo-3").save("better.png")
