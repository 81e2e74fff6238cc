import type { Submission, SubmissionResult } from '@conform-to/dom';
import { useLocation } from '@remix-run/react';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

type Errors = Exclude<SubmissionResult['error'], undefined>;
type Values = Readonly<Record<string, unknown>>;

interface FormOptions<Module, Value> {
  readonly result: SubmissionResult | null;
  /** Imports the module with the form's schema after hydration: schemas are larger than the pages. */
  readonly load: () => Promise<Module>;
  readonly parse: (module: Module, fields: FormData) => Submission<unknown, string[], Value>;
  /** False for a confirmation, which has to be repeated each time. */
  readonly keepsDraft?: boolean;
}

export interface FormField {
  readonly id: string;
  readonly name: string;
  readonly isInvalid: boolean;
  /** Submitted or restored value, empty for an unchecked checkbox; undefined on the first visit. */
  readonly entered: string | undefined;
}

/** Form values by key of the history entry, restored when the visitor goes back. Written in the browser only. */
const drafts = new Map<string, Values>();

/**
 * The browser and the action validate by the same schema; until it is loaded, only the action does. `@conform-to/react`
 * would add 9 kB (gzip), mostly for nested and repeated fields.
 */
export function useForm<Module, Value>({ result, load, parse, keepsDraft = true }: FormOptions<Module, Value>) {
  const id = useId();
  const { key } = useLocation();
  const [schema, setSchema] = useState<{ readonly module: Module }>();
  const [lastResult, setLastResult] = useState(result);
  const [errors, setErrors] = useState<Errors | null>(result?.error ?? null);
  const [isValid, setValid] = useState(false);
  const [draft] = useState(() => (keepsDraft ? drafts.get(key) : undefined));
  if (lastResult !== result) {
    setLastResult(result);
    setErrors(result?.error ?? null);
  }
  const importer = useRef(load);
  const parser = useRef(parse);
  parser.current = parse;

  useEffect(() => {
    const form = formOf(id);
    importer.current().then(
      (module) => {
        setSchema({ module });
        setValid(parser.current(module, new FormData(form)).status === 'success');
      },
      () => {},
    );
  }, [id]);
  useEffect(() => {
    if (result?.error) focusFirstInvalid(id);
  }, [id, result]);
  useEffect(() => {
    if (!keepsDraft) return;
    const form = formOf(id);
    return () => {
      drafts.set(key, valuesOf(new FormData(form)));
    };
  }, [id, key, keepsDraft]);

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    const { submitter } = event.nativeEvent as SubmitEvent;
    if (submitter instanceof HTMLButtonElement && submitter.formNoValidate) return;
    if (!validate(submitter)) event.preventDefault();
  }

  function validate(submitter: HTMLElement | null = null): boolean {
    if (!schema) return true;
    const submission = parse(schema.module, new FormData(formOf(id), submitter));
    if (submission.status === 'success') return true;
    flushSync(() => setErrors(submission.error ?? {}));
    focusFirstInvalid(id);
    return false;
  }

  /** Errors first appear on submit, then update on input. */
  function onInput(event: FormEvent<HTMLFormElement>): void {
    if (!schema) return;
    const submission = parse(schema.module, new FormData(event.currentTarget));
    setValid(submission.status === 'success');
    if (errors) setErrors(submission.status === 'success' ? {} : (submission.error ?? {}));
  }

  const entered: Values | undefined = result?.initialValue ?? draft;
  return {
    /** Marked once the browser validates: earlier submissions are answered by the action. */
    form: { id, onSubmit, onInput, 'data-validated': schema ? '' : undefined },
    field(name: keyof Value & string): FormField {
      const value = entered?.[name];
      return {
        id: `${id}${name}`,
        name,
        isInvalid: Boolean(errors?.[name]),
        entered: entered && (typeof value === 'string' ? value : ''),
      };
    },
    /** The same of checkboxes with one name. */
    chosen(name: keyof Value & string): readonly string[] | undefined {
      const value = entered?.[name];
      return entered && (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'string');
    },
    /** Whether the schema is loaded, so that `isValid` is meaningful. */
    isReady: schema !== undefined,
    isValid,
    /** Shows errors. Returns whether the form may be sent; true until the schema is loaded. */
    validate: () => validate(),
  };
}

/** As Conform's: several fields of one name are a list. */
const valuesOf = (fields: FormData): Values =>
  Object.fromEntries(
    [...new Set(fields.keys())].map((name) => {
      const [first, ...others] = fields.getAll(name);
      return [name, others.length > 0 ? [first, ...others] : first];
    }),
  );

function formOf(id: string): HTMLFormElement {
  const form = document.getElementById(id);
  if (!(form instanceof HTMLFormElement)) throw new Error(`no form ${id}`);
  return form;
}

/** The error is below its field, which may be partly visible already. */
function focusFirstInvalid(id: string): void {
  const field = formOf(id).querySelector<HTMLElement>('[aria-invalid=true]');
  field?.focus();
  if (field) document.getElementById(`${field.id}-error`)?.scrollIntoView({ block: 'nearest' });
}
