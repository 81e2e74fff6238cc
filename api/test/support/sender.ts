import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';

/** A PUT whose bytes a test sends by hand, piece by piece. */
export function openPut(url: string, headers: Readonly<Record<string, string | number>> = {}): ClientRequest {
  const sending = request(url, { method: 'PUT', headers: { 'content-type': 'image/jpeg', ...headers }, agent: false });
  // A refused sender may find its connection closed while it is still sending.
  sending.on('error', () => undefined);
  return sending;
}

/** The status and code that a hand-made request is answered. */
export async function answerTo(sending: ClientRequest): Promise<[number | undefined, string | undefined]> {
  const [answer] = (await once(sending, 'response')) as [IncomingMessage];
  const text = (await answer.toArray()).join('');
  return [answer.statusCode, text ? JSON.parse(text).error_code : undefined];
}
