import { type Reader, withoutInternals } from '../core/ledger.js';
import { invalidRequest } from './errors.js';
import { findObject, type StripeObjects } from './objects.js';

type Type = keyof StripeObjects;

/** Ids that can be replaced by their object. */
const EXPANDABLE: Readonly<Record<string, Readonly<Record<string, Type>>>> = {
  subscription: { customer: 'customer', default_payment_method: 'payment_method', latest_invoice: 'invoice' },
  invoice: { customer: 'customer' },
  payment_intent: { customer: 'customer', payment_method: 'payment_method', latest_charge: 'charge' },
  setup_intent: { customer: 'customer', payment_method: 'payment_method' },
  charge: { customer: 'customer', payment_intent: 'payment_intent' },
  refund: { charge: 'charge', payment_intent: 'payment_intent' },
  payment_method: { customer: 'customer' },
  'checkout.session': { customer: 'customer', payment_intent: 'payment_intent', setup_intent: 'setup_intent' },
};
const INVOICE_PAYMENT: Readonly<Record<string, Type>> = { payment_intent: 'payment_intent' };

/** Properties that responses contain only when expanded. */
const INCLUDABLE: Readonly<Record<string, readonly string[]>> = { invoice: ['payments', 'confirmation_secret'] };

const MAX_LEVELS = 4;

type Json = { [name: string]: unknown };

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** @param shared an object of the ledger, which stays unchanged @param paths of `expand` */
export async function present(reader: Reader, shared: unknown, paths: readonly string[] = []): Promise<unknown> {
  const copy = withoutInternals(shared);
  const included = new Set<string>();
  for (const [index, path] of paths.entries()) {
    const segments = path.split('.');
    if (segments.length > MAX_LEVELS + (segments[0] === 'data' ? 1 : 0)) {
      throw invalidRequest('parameter_invalid', `You cannot expand more than 4 levels of a property: ${path}`);
    }
    await expandPath(reader, copy, segments, { path, param: `expand[${index}]`, included });
  }
  return withoutUnrequested(copy, included);
}

interface Request {
  readonly path: string;
  readonly param: string;
  /** `{object id}.{property}` of expanded {@link INCLUDABLE} properties. */
  readonly included: Set<string>;
}

async function expandPath(
  reader: Reader,
  value: unknown,
  [segment, ...rest]: readonly string[],
  request: Request,
): Promise<void> {
  if (segment === undefined || !isObject(value)) return;
  if (Array.isArray(value)) {
    for (const item of value) await expandPath(reader, item, [segment, ...rest], request);
    return;
  }
  const tag = String(value.object ?? '');
  if (INCLUDABLE[tag]?.includes(segment)) request.included.add(`${value.id}.${segment}`);
  const isPayment = value.type === 'payment_intent' && tag === '';
  const type = isPayment ? INVOICE_PAYMENT[segment] : EXPANDABLE[tag]?.[segment];
  const held = value[segment];
  if (type === undefined && !isObject(held) && held !== null) throw notExpandable(segment, request);
  if (type !== undefined && typeof held === 'string') {
    value[segment] = withoutInternals(await findObject(reader, type, held));
  }
  await expandPath(reader, value[segment], rest, request);
}

const notExpandable = (segment: string, { path, param }: Request) =>
  invalidRequest(
    'parameter_invalid_expand',
    `This property cannot be expanded (${segment}). You may want to try expanding a different path than '${path}'.`,
    param,
  );

function withoutUnrequested(value: unknown, included: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutUnrequested(item, included));
  if (!isObject(value)) return value;
  const hidden = INCLUDABLE[String(value.object ?? '')] ?? [];
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !hidden.includes(name) || included.has(`${value.id}.${name}`))
      .map(([name, part]) => [name, withoutUnrequested(part, included)]),
  );
}
