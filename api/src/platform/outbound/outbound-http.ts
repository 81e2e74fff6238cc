import { isIPv6, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { ERRORS, inMilliseconds, LIFETIMES, megabytes } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { Agent, type Dispatcher, request } from 'undici';
import { AppConfig } from '../config/app.config.js';
import { AppError } from '../errors/app-error.js';
import { HostResolver, type PinnedAddress, pinAddress } from './outbound-address.js';

export interface OutboundLimits {
  readonly connectMs: number;
  /** From the connection to the answer's headers, including the time that sending the request takes. */
  readonly headersMs: number;
  /** From the call to the last byte of the answer. */
  readonly totalMs: number;
  /** Of the answer's body. */
  readonly maxBytes: number;
  /** Average that the answer must reach, counted while it is waited for. */
  readonly leastBytesPerSecond: number;
  /** Time without a byte; the average counts after it. */
  readonly silenceMs: number;
}

const LIMITS: OutboundLimits = {
  connectMs: inMilliseconds.seconds(5),
  headersMs: inMilliseconds.seconds(LIFETIMES.remoteAnswer),
  totalMs: inMilliseconds.minutes(10),
  maxBytes: megabytes(1),
  leastBytesPerSecond: 10_000,
  silenceMs: inMilliseconds.seconds(10),
};

export interface OutboundRequest {
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | Readable;
  readonly signal?: AbortSignal;
  readonly limits?: Partial<OutboundLimits>;
}

export interface OutboundAnswer {
  /** After redirects. */
  readonly url: URL;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Must be read or destroyed: either closes the connection. Fails as {@link OutboundHttp.send}, or with `uploads.too_large`. */
  readonly body: Readable;
}

const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Requests to addresses that strangers give. Each host is resolved once a request, every address checked, and the
 * connection made to a checked one; redirects of GET are checked as the first address. Bodies are never decompressed.
 */
@Injectable()
export class OutboundHttp {
  constructor(
    private readonly app: AppConfig,
    private readonly resolver: HostResolver,
  ) {}

  /** For an address that is used later, when it is checked again. @throws AppError `uploads.address_refused`, `uploads.address_unreachable` */
  async check(address: string): Promise<void> {
    await this.pin(address);
  }

  /**
   * @returns the answer, whatever its status
   * @throws AppError `uploads.address_refused`, `uploads.address_unreachable`, `uploads.address_unreachable`; the reason of an aborted
   *   signal
   */
  async send(address: string, outbound: OutboundRequest = {}): Promise<OutboundAnswer> {
    const { method = 'GET', signal } = outbound;
    const limits = { ...LIMITS, ...outbound.limits };
    const deadline = AbortSignal.timeout(limits.totalMs);
    const exchange = { outbound, limits, signal: signal ? AbortSignal.any([signal, deadline]) : deadline };
    let current = address;
    for (let redirects = 0; ; redirects += 1) {
      const answer = await exchangeWith(await this.pin(current), exchange);
      const { location } = answer.headers;
      if (method !== 'GET' || !REDIRECTS.has(answer.status) || typeof location !== 'string') return answer;
      answer.body.destroy();
      if (redirects === MAX_REDIRECTS) {
        throw refusedWith(answer.status, `More than ${MAX_REDIRECTS} redirects.`);
      }
      current = URL.parse(location, answer.url.href)?.href ?? location;
    }
  }

  /**
   * The file at an address, while it arrives.
   * @throws AppError as {@link send}; `uploads.address_unreachable` unless the status is 200, `uploads.too_large` by the announced
   *   size, `uploads.unsupported_type` for a compressed answer
   */
  async download(address: string, outbound: Pick<OutboundRequest, 'signal' | 'limits'>): Promise<OutboundAnswer> {
    const answer = await this.send(address, { ...outbound, headers: { 'accept-encoding': 'identity' } });
    try {
      requireFile(answer, outbound.limits?.maxBytes ?? LIMITS.maxBytes);
      return answer;
    } catch (error) {
      answer.body.destroy();
      throw error;
    }
  }

  private pin(address: string): Promise<PinnedAddress> {
    return pinAddress(address, this.resolver, { allowsLoopback: !this.app.isProduction });
  }
}

function requireFile({ status, headers }: OutboundAnswer, maxBytes: number): void {
  if (status !== 200) throw refusedWith(status);
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    throw new AppError('uploads.unsupported_type', {
      description: `The host sends the file compressed (${encoding}).`,
    });
  }
  if (Number(headers['content-length']) > maxBytes) throw tooLarge(maxBytes);
}

const MAY_RECOVER = new Set([408, 425, 429]);

/** Whether the same request may succeed later. */
export function mayRecover({ code, options }: AppError): boolean {
  const status = Number(options.details?.status);
  return Number.isNaN(status) ? ERRORS[code].retryable : status >= 500 || MAY_RECOVER.has(status);
}

export const refusedWith = (status: number, description = `The host answered ${status}.`): AppError =>
  new AppError('uploads.address_unreachable', { description, details: { status } });

const tooSlow = (cause?: unknown): AppError =>
  new AppError('uploads.address_unreachable', {
    description: 'The host is too slow.',
    details: { timed_out: true },
    cause,
  });

export const isTooSlow = ({ options }: AppError): boolean => options.details?.timed_out === true;

const tooLarge = (maxBytes: number): AppError =>
  new AppError('uploads.too_large', {
    description: `The file is larger than ${maxBytes / megabytes(1)} MB.`,
    details: { max_bytes: maxBytes },
  });

interface Exchange {
  readonly outbound: OutboundRequest;
  readonly limits: OutboundLimits;
  /** Of the caller and the total time. */
  readonly signal: AbortSignal;
}

async function exchangeWith({ url, ips }: PinnedAddress, exchange: Exchange): Promise<OutboundAnswer> {
  const { outbound, limits, signal } = exchange;
  const { method = 'GET', headers, body } = outbound;
  const agent = new Agent({
    connect: { lookup: lookupAmong(ips), timeout: limits.connectMs },
    headersTimeout: limits.headersMs,
    bodyTimeout: limits.silenceMs,
    allowH2: false,
  });
  try {
    const answer = await request(url, { dispatcher: agent, method, headers: { ...headers }, body, signal });
    const bytes = Readable.from(limited(answer.body, exchange), { objectMode: false });
    // A generator that awaits a chunk can't be stopped by its reader.
    bytes.once('close', () => void agent.destroy());
    return { url, status: answer.statusCode, headers: answer.headers, body: bytes };
  } catch (error) {
    await agent.destroy();
    throw asAddressError(error, outbound.signal);
  }
}

/** Connections go to the checked addresses, whatever the name resolves to now. */
const lookupAmong =
  (ips: readonly string[]): LookupFunction =>
  (_host, { all }, callback) => {
    const found = ips.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
    const [first = { address: '', family: 4 }] = found;
    if (all) callback(null, found);
    else callback(null, first.address, first.family);
  };

async function* limited(
  body: Dispatcher.ResponseData['body'],
  { outbound, limits }: Exchange,
): AsyncGenerator<Buffer, void, void> {
  const { maxBytes, leastBytesPerSecond, silenceMs } = limits;
  const chunks: AsyncIterator<Buffer> = body[Symbol.asyncIterator]();
  let received = 0;
  let waitedMs = 0;
  try {
    for (;;) {
      const askedAt = performance.now();
      const { value, done } = await chunks.next();
      if (done) return;
      waitedMs += performance.now() - askedAt;
      received += value.length;
      if (received > maxBytes) throw tooLarge(maxBytes);
      if (waitedMs > silenceMs && received < (leastBytesPerSecond * waitedMs) / inMilliseconds.seconds(1)) {
        throw tooSlow();
      }
      yield value;
    }
  } catch (error) {
    throw asAddressError(error, outbound.signal);
  }
}

const TIMEOUTS = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

function asAddressError(error: unknown, signal: AbortSignal | undefined): unknown {
  if (error instanceof AppError) return error;
  if (signal?.aborted) return signal.reason;
  const { name, code = '' } = error as { readonly name?: string; readonly code?: string };
  if (name === 'TimeoutError' || TIMEOUTS.has(code)) return tooSlow(error);
  return new AppError('uploads.address_unreachable', { description: 'The host does not answer.', cause: error });
}
