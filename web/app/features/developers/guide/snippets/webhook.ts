import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { ClearframeError, webhooks } from '@clearframe/client';

const { WEBHOOK_SECRET = '', PORT } = process.env;

createServer(async (request, response) => {
  try {
    const event = await webhooks.verify(await buffer(request), request.headers, WEBHOOK_SECRET);
    // Answer first, work later; `webhook-id` is the same when an event comes twice.
    response.writeHead(204).end();
    console.log(request.headers['webhook-id'], event.type);
  } catch (error) {
    response.writeHead(error instanceof ClearframeError ? 401 : 500).end();
  }
}).listen(PORT);
