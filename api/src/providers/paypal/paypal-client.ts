import { TIME_LIMITS } from '@clearframe/contract';
import { withTimeout } from '@clearframe/runtime/concurrency';
import paypal from '@paypal/checkout-server-sdk';
import { z } from 'zod';
import { sha256Hex } from '../../platform/config/seal.js';
import { isTemporaryStatus, ProviderUnavailable } from '../payment-provider.js';
import type { PayPalConfig } from './paypal.config.js';

/** Limits a whole call, with its token; the SDK limits idle time only. */
const TIMEOUT_MS = TIME_LIMITS.payment.provider;
const NOT_FOUND = 404;
const SERVER_ERROR = 500;

export class PayPalRejection extends Error {
  override readonly name = 'PayPalRejection';

  constructor(
    readonly status: number,
    /** For instance `ORDER_ALREADY_CAPTURED`; empty if unknown. */
    readonly issue: string,
    cause: unknown,
  ) {
    super(`PayPal responded with ${status} ${issue}`, { cause });
  }
}

class RawJson {
  constructor(readonly text: string) {}
}

interface Encoder {
  serializeRequest(request: { readonly body: unknown }): string;
}

interface Call {
  readonly body?: object;
  /** Text of a JSON body whose bytes matter. */
  readonly json?: string;
  /** Repeated requests with it have one effect. */
  readonly key?: string;
}

const ErrorBody = z.object({
  name: z.string().optional(),
  details: z.array(z.object({ issue: z.string().optional() })).optional(),
});
const HttpFailure = z.object({ statusCode: z.number(), message: z.string() });

/**
 * The only file that knows the SDK, which is no longer developed: keeps the access token and sends requests, also of
 * APIs without classes.
 */
export class PayPalClient {
  private readonly client: InstanceType<typeof paypal.core.PayPalHttpClient>;

  constructor({ clientId, clientSecret, apiUrl }: PayPalConfig) {
    const environment = new paypal.core.PayPalEnvironment(clientId, clientSecret, apiUrl, apiUrl);
    this.client = new paypal.core.PayPalHttpClient(environment);
    const { encoder } = this.client as unknown as { encoder: Encoder };
    const serialize = encoder.serializeRequest.bind(encoder);
    encoder.serializeRequest = (request) => (request.body instanceof RawJson ? request.body.text : serialize(request));
  }

  get<Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.output<Schema>> {
    return this.call('GET', path, schema, {});
  }

  find<Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.output<Schema> | null> {
    return this.get(path, schema).catch((error: unknown) => {
      if (error instanceof PayPalRejection && error.status === NOT_FOUND) return null;
      throw error;
    });
  }

  post<Schema extends z.ZodType>(path: string, schema: Schema, call: Call): Promise<z.output<Schema>> {
    return this.call('POST', path, schema, call);
  }

  /** @throws PayPalRejection, or ProviderUnavailable when the request can be repeated */
  private async call<Schema extends z.ZodType>(
    verb: 'GET' | 'POST',
    path: string,
    schema: Schema,
    { body, json, key }: Call,
  ): Promise<z.output<Schema>> {
    const request = {
      verb,
      path,
      headers: {
        'Content-Type': 'application/json',
        Prefer: 'return=representation',
        ...(key !== undefined && { 'PayPal-Request-Id': sha256Hex(key) }),
      },
      ...(json === undefined ? body && { body } : { body: new RawJson(json) }),
    };
    const response = await withTimeout(this.client.execute(request), TIMEOUT_MS, onTimeout).catch(rethrow);
    return schema.parse(response.result ?? null);
  }
}

/** Ids come from clients, too. */
export const isPayPalId = (id: string): boolean => /^[A-Za-z0-9_-]{1,64}$/.test(id);

function onTimeout(): never {
  throw new Error('PayPal did not respond in time');
}

function rethrow(error: unknown): never {
  const failure = HttpFailure.safeParse(error);
  const status = failure.data?.statusCode ?? SERVER_ERROR;
  if (isTemporaryStatus(status)) {
    throw new ProviderUnavailable(error instanceof Error ? error.message : 'no response', { cause: error });
  }
  throw new PayPalRejection(status, issueIn(failure.data?.message ?? ''), error);
}

function issueIn(text: string): string {
  try {
    const { name, details } = ErrorBody.parse(JSON.parse(text));
    return details?.[0]?.issue ?? name ?? '';
  } catch {
    return '';
  }
}
