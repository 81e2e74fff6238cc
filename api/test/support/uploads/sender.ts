import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';

export function startPut(url: string, headers: Readonly<Record<string, string | number>> = {}): ClientRequest {
  const sending = request(url, { method: 'PUT', headers: { 'content-type': 'image/jpeg', ...headers }, agent: false });
  // The connection may close while a rejected body is still being sent.
  sending.on('error', () => undefined);
  return sending;
}

export async function responseOf(sending: ClientRequest): Promise<[number | undefined, string | undefined]> {
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  const text = (await response.toArray()).join('');
  return [response.statusCode, text ? JSON.parse(text).error_code : undefined];
}
