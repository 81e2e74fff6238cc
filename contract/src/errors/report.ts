/** An error for a service outside of the product, which follows from a line of the log. */
export interface ErrorReport {
  readonly error: Error | null;
  /** Of the line. */
  readonly message: string;
  /** Ids and codes, which tell one error from another. */
  readonly tags: Readonly<Record<string, string>>;
}

const TAGS = ['code', 'job', 'kind', 'queue', 'requestId', 'runId', 'service', 'taskId', 'traceId'] as const;

/**
 * Of what a logger was called with: its own fields, then an object or an error and a text.
 * @param bindings fields of the logger, for instance the id of a request
 */
export function errorReportOf(
  bindings: Readonly<Record<string, unknown>>,
  [first, second]: readonly unknown[],
): ErrorReport {
  const given = first instanceof Error ? { err: first } : typeof first === 'object' && first !== null ? first : {};
  const fields: Readonly<Record<string, unknown>> = { ...bindings, ...given };
  const message = [first, second, fields.msg].find((value) => typeof value === 'string') ?? '';
  const tags = TAGS.flatMap((name) => {
    const value = fields[name];
    return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)] as const] : [];
  });
  return { error: fields.err instanceof Error ? fields.err : null, message, tags: Object.fromEntries(tags) };
}

const PERSONAL: readonly (readonly [RegExp, string])[] = [
  // With user names, passwords, ids and signatures.
  [/\b[a-z][a-z\d+.-]*:\/\/[^\s"'<>]+/gi, '<url>'],
  [/[^\s"'<>(),;:]+@[^\s"'<>(),;:]+/g, '<address>'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '<token>'],
  [/\b(?:cfk|cfu|sk|rk|pk|whsec)_\w+/g, '<key>'],
  [/\b\d{1,3}(?:\.\d{1,3}){3}\b/g, '<ip>'],
  [/(?<![\w:.])(?:[\da-f]{0,4}:){2,7}[\da-f]{0,4}(?![\w:])/gi, '<ip>'],
  // PostgreSQL and parsers quote what was sent.
  [/(invalid (?:input|byte) [^:]*: ).+/gs, '$1<value>'],
  [/(: )".+"/gs, '$1<value>'],
  [/(?:\.{3})?".+"(?:\.{3})?(?= is not valid JSON)/gs, '<value>'],
];

/** Characters of a text that are read: the time of the patterns grows with its square. */
const LONGEST = 2_000;

/** The beginning of an error's text, without addresses of people and machines, tokens, keys and values that were sent. */
export function withoutPersonalData(text: string): string {
  // Without a word that is cut, which no pattern would know.
  const start = text.length > LONGEST ? `${text.slice(0, LONGEST).replace(/\S*$/, '')}…` : text;
  return PERSONAL.reduce((clean, [pattern, mark]) => clean.replace(pattern, mark), start);
}

interface SentException {
  type?: string;
  value?: string;
  stacktrace?: unknown;
  mechanism?: unknown;
}

/** An event of Sentry's protocol, as far as it is sent. */
interface SentEvent {
  event_id?: string;
  timestamp?: number;
  level?: unknown;
  platform?: string;
  environment?: string;
  tags?: unknown;
  message?: string;
  exception?: { values?: SentException[] };
}

/** What is sent of an event: an error, where it was thrown, and ids; nothing of visitors. */
export function withoutVisitors<Event extends SentEvent>(
  event: Event,
): Pick<Event, Exclude<keyof SentEvent, 'message' | 'exception'>> &
  Pick<SentEvent, 'message'> & {
    exception: Event['exception'];
  } {
  const { event_id, timestamp, level, platform, environment, tags, message, exception } = event;
  const values = exception?.values?.map(({ type, value, stacktrace, mechanism }) => ({
    type,
    value: value && withoutPersonalData(value),
    stacktrace,
    mechanism,
  }));
  return {
    event_id,
    timestamp,
    level,
    platform,
    environment,
    tags,
    message: message && withoutPersonalData(message),
    exception: exception && { values },
  };
}
