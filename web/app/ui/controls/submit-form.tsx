import { type FetcherWithComponents, Form, type FormProps, useLocation, useNavigation } from '@remix-run/react';
import { type ComponentPropsWithoutRef, createContext, type FormEvent, useContext, useEffect, useState } from 'react';
import { preserveVersionParam } from '../../http/internal-address';
import { Spinner } from '../content/spinner';
import { Button, type ButtonKind, type ButtonSize } from './button';

const SubmittingContext = createContext(false);

export const useIsSubmitting = (): boolean => useContext(SubmittingContext);

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
  useEffect(() => {
    if (state === 'idle') setSent(false);
  }, [state]);

  const FormComponent = fetcher ? fetcher.Form : Form;
  return (
    <SubmittingContext.Provider value={isSent || (fetcher !== undefined && state !== 'idle')}>
      <FormComponent
        {...rest}
        // Without an action, a form is sent to the page's address, query included.
        {...(action !== undefined && { action: preserveVersionParam(action, search) })}
        onSubmit={(event: FormEvent<HTMLFormElement>) => {
          onSubmit?.(event);
          if (!event.defaultPrevented) setSent(true);
        }}
      />
    </SubmittingContext.Provider>
  );
}

interface SubmitButtonProps extends ComponentPropsWithoutRef<'button'> {
  readonly kind: ButtonKind;
  readonly size?: ButtonSize;
}

export function SubmitButton({ children, disabled = false, ...rest }: SubmitButtonProps) {
  const isSubmitting = useIsSubmitting();
  return (
    <Button {...rest} type="submit" disabled={disabled || isSubmitting} aria-busy={isSubmitting || undefined}>
      {isSubmitting && <Spinner label={null} size={20} className="-ms-1" />}
      {children}
    </Button>
  );
}
