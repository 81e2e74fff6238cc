import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ErrorCode, PROBLEM_CONTENT_TYPE, Problem, problemOf, toWire } from '@clearframe/contract';
import { onTestFinished } from 'vitest';

interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

export async function startBackend(handle: Handler) {
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    requests.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers });
    void handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return { url, requests, server };
}

/** Without the events that operations send in the background, and the settings that events name. */
export const withoutEvents = (requests: readonly ReceivedRequest[]): ReceivedRequest[] =>
  requests.filter(({ path }) => !/\/(?:web-events|settings)$/.test(path));

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

export function sendProblem(response: ServerResponse, code: ErrorCode, headers: Record<string, string> = {}): void {
  const problem = problemOf(code, 'req-from-api', undefined, { field: 'why' });
  response
    .writeHead(problem.status, { 'content-type': PROBLEM_CONTENT_TYPE, ...headers })
    .end(JSON.stringify(toWire(Problem, problem)));
}

export async function unusedAddress(): Promise<URL> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return new URL(`http://127.0.0.1:${port}`);
}
