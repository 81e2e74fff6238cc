import { type FetcherWithComponents, Form, type FormProps, useLocation, useNavigation } from '@remix-run/react';
import {
  type ComponentPropsWithoutRef,
  createContext,
  type FormEvent,
  useContext,
  useEffect,
  useMemo,
  useState,
} from 'react';
import { preserveVersionParam } from '../../http/internal-address';
import { Spinner } from '../content/waiting';
import { Button, type ButtonKind, type ButtonSize } from './button';

interface Submission {
  readonly isRunning: boolean;
  /** The pressed button; null when a script submits the form. */
  readonly submitter: Pick<HTMLButtonElement, 'name' | 'value'> | null;
}

const SubmissionContext = createContext<Submission>({ isRunning: false, submitter: null });

export const useIsSubmitting = (): boolean => useContext(SubmissionContext).isRunning;

/** Whether the button of this name and value submits the form: others are disabled without being busy. */
export function useIsPressed({ name = '', value = '' }: SubmitterKey): boolean {
  const { isRunning, submitter } = useContext(SubmissionContext);
  return isRunning && (submitter === null || (submitter.name === name && submitter.value === value));
}

interface SubmitterKey {
  readonly name?: string | undefined;
  readonly value?: string | undefined;
}

interface SubmitFormProps extends Omit<FormProps, 'reloadDocument'> {
  /** Submits without a navigation. */
  readonly fetcher?: Pick<FetcherWithComponents<unknown>, 'Form' | 'state'>;
}

/** A form whose submit buttons are disabled until the response is rendered. Preserves the version parameter. */
export function SubmitForm({ fetcher, onSubmit, action, ...rest }: SubmitFormProps) {
  const { search } = useLocation();
  const navigation = useNavigation();
  const state = fetcher ? fetcher.state : navigation.state;
  const [isSent, setSent] = useState(false);
  const [submitter, setSubmitter] = useState<Submission['submitter']>(null);
  useEffect(() => {
    if (state === 'idle') setSent(false);
  }, [state]);
  const isRunning = isSent || (fetcher !== undefined && state !== 'idle');
  const submission = useMemo(() => ({ isRunning, submitter }), [isRunning, submitter]);

  const FormComponent = fetcher ? fetcher.Form : Form;
  return (
    <SubmissionContext.Provider value={submission}>
      <FormComponent
        {...rest}
        // Without an action, a form is sent to the page's address, query included.
        {...(action !== undefined && { action: preserveVersionParam(action, search) })}
        onSubmit={(event: FormEvent<HTMLFormElement>) => {
          const { submitter: pressed } = event.nativeEvent as SubmitEvent;
          setSubmitter(pressed instanceof HTMLButtonElement ? pressed : null);
          onSubmit?.(event);
          if (!event.defaultPrevented) setSent(true);
        }}
      />
    </SubmissionContext.Provider>
  );
}

interface SubmitButtonProps extends ComponentPropsWithoutRef<'button'> {
  readonly kind: ButtonKind;
  readonly size?: ButtonSize;
}

export function SubmitButton({ children, disabled = false, ...rest }: SubmitButtonProps) {
  const isSubmitting = useIsSubmitting();
  const isPressed = useIsPressed({ name: rest.name, value: rest.value?.toString() });
  return (
    <Button {...rest} type="submit" disabled={disabled || isSubmitting} aria-busy={isPressed || undefined}>
      {isPressed && <Spinner label={null} size={20} className="-ms-1" />}
      {children}
    </Button>
  );
}
