from clearframe import Clearframe

clearframe = Clearframe(base_url="https://clearframe.example")
task = clearframe.upload("photo.jpg", format="png")

result = clearframe.result(task["task_id"], lambda task: print(task["status"], task["progress"]))
result.save("better.png")
