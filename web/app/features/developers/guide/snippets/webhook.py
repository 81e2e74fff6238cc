import os
from http.server import BaseHTTPRequestHandler, HTTPServer
from clearframe import ClearframeError, verify_webhook


class Webhook(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            event = verify_webhook(body, dict(self.headers), os.environ["WEBHOOK_SECRET"])
            self.send_response(204)
            # `webhook-id` is the same when an event comes twice.
            print(self.headers["webhook-id"], event["type"], flush=True)
        except ClearframeError:
            self.send_response(401)
        self.end_headers()


HTTPServer(("127.0.0.1", int(os.environ["PORT"])), Webhook).serve_forever()
