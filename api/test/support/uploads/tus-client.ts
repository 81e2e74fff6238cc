import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';

type Headers = Readonly<Record<string, string | number>>;

export interface TusResponse {
  readonly status: number | undefined;
  readonly offset: number | null;
  readonly code: string | undefined;
  readonly headers: IncomingMessage['headers'];
}

const PATCH_HEADERS = { 'content-type': 'application/offset+octet-stream' } as const;

export function startTus(method: string, url: string, headers: Headers = {}): ClientRequest {
  const sending = request(url, { method, headers: { 'tus-resumable': '1.0.0', ...headers }, agent: false });
  // The connection may close while a rejected body is still being sent.
  sending.on('error', () => undefined);
  return sending;
}

export async function tusResponseOf(sending: ClientRequest): Promise<TusResponse> {
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  const text = (await response.toArray()).join('');
  const offset = response.headers['upload-offset'];
  return {
    status: response.statusCode,
    offset: offset === undefined ? null : Number(offset),
    code: text ? JSON.parse(text).error_code : undefined,
    headers: response.headers,
  };
}

export const tus = (method: string, url: string, headers: Headers = {}): Promise<TusResponse> => {
  const sending = startTus(method, url, headers);
  sending.end();
  return tusResponseOf(sending);
};

export const startPatch = (url: string, offset: number, length: number, headers: Headers = {}): ClientRequest =>
  startTus('PATCH', url, { ...PATCH_HEADERS, 'upload-offset': offset, 'content-length': length, ...headers });

export function patch(url: string, offset: number, bytes: Buffer, headers: Headers = {}): Promise<TusResponse> {
  const sending = startPatch(url, offset, bytes.length, headers);
  sending.end(bytes);
  return tusResponseOf(sending);
}
