import type { Submission, SubmissionResult } from '@conform-to/dom';
import { useLocation } from '@remix-run/react';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

type Errors = Exclude<SubmissionResult['error'], undefined>;
type Values = Readonly<Record<string, unknown>>;

interface FormOptions<Module, Value> {
  /** The action's answer to an invalid form; null before. */
  readonly result: SubmissionResult | null;
  /** Imports the module of the form's schema, once the page is shown: schemas weigh more than the pages. */
  readonly load: () => Promise<Module>;
  readonly parse: (module: Module, fields: FormData) => Submission<unknown, string[], Value>;
}

/** What an input needs besides its label. */
export interface FormField {
  readonly id: string;
  readonly name: string;
  readonly isInvalid: boolean;
  /** What was sent or left before, empty for an unchecked checkbox; undefined on the first visit. */
  readonly entered: string | undefined;
}

/** What was entered into the form of a history entry, for when the visitor goes back. Never written on the server. */
const drafts = new Map<string, Values>();

/**
 * The page's half of a form that Conform validates, in the browser and in the action by the same schema. Until the
 * schema is there, or where it can't be loaded, the action alone validates. Conform's own React half would add 9 kB
 * (gzip), mostly for nested and repeated fields, which no form here has.
 */
export function useForm<Module, Value>({ result, load, parse }: FormOptions<Module, Value>) {
  const id = useId();
  const { key } = useLocation();
  const [schema, setSchema] = useState<{ readonly module: Module }>();
  const [answered, setAnswered] = useState(result);
  const [errors, setErrors] = useState<Errors | null>(result?.error ?? null);
  const [isValid, setValid] = useState(false);
  const [draft] = useState(() => drafts.get(key));
  if (answered !== result) {
    setAnswered(result);
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
    const form = formOf(id);
    return () => {
      drafts.set(key, Object.fromEntries(new FormData(form)));
    };
  }, [id, key]);

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    const { submitter } = event.nativeEvent as SubmitEvent;
    if (!schema || (submitter instanceof HTMLButtonElement && submitter.formNoValidate)) return;
    const submission = parse(schema.module, new FormData(event.currentTarget, submitter));
    if (submission.status === 'success') return;
    event.preventDefault();
    flushSync(() => setErrors(submission.error ?? {}));
    focusFirstInvalid(id);
  }

  /** Errors appear with a refusal only; from then on they follow what is entered. */
  function onInput(event: FormEvent<HTMLFormElement>): void {
    if (!schema) return;
    const submission = parse(schema.module, new FormData(event.currentTarget));
    setValid(submission.status === 'success');
    if (errors) setErrors(submission.status === 'success' ? {} : (submission.error ?? {}));
  }

  const entered: Values | undefined = result?.initialValue ?? draft;
  return {
    /** Of the form element. */
    form: { id, onSubmit, onInput },
    field(name: keyof Value & string): FormField {
      const value = entered?.[name];
      return {
        id: `${id}${name}`,
        name,
        isInvalid: Boolean(errors?.[name]),
        entered: entered && (typeof value === 'string' ? value : ''),
      };
    },
    /** Whether the schema is there to tell, and what it says. */
    isReady: schema !== undefined,
    isValid,
  };
}

function formOf(id: string): HTMLFormElement {
  const form = document.getElementById(id);
  if (!(form instanceof HTMLFormElement)) throw new Error(`no form ${id}`);
  return form;
}

const focusFirstInvalid = (id: string): void => formOf(id).querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
