import { type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CaptchaSettings } from '../../../server/config/settings.ts';
import { loadCaptcha } from './captcha-script';

const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/**
 * Puts a new token into the field each time its form is sent, which waits for a loading script. When the script fails,
 * the form is sent without.
 * @returns whether a form is waiting for the script
 */
export function useCaptcha(
  settings: CaptchaSettings | null,
  action: string,
  field: RefObject<HTMLInputElement>,
): boolean {
  const { i18n } = useTranslation();
  const { language } = i18n;
  const [isWaiting, setWaiting] = useState(false);
  const isLoaded = useRef(false);

  useEffect(() => {
    const form = field.current?.form;
    if (!settings || !form) return;
    let isGone = false;
    /** The form is being sent with its token. */
    let isVerified = false;
    let isVerifying = false;

    async function verify(): Promise<string> {
      try {
        setWaiting(!isLoaded.current);
        const getToken = await loadCaptcha(settings as CaptchaSettings, language);
        isLoaded.current = true;
        return await getToken(action);
      } catch {
        return '';
      } finally {
        setWaiting(false);
      }
    }

    async function send(sent: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
      isVerifying = true;
      // A form can't be sent while its submit event is dispatched, which includes microtasks.
      const [token] = await Promise.all([verify(), nextTask()]);
      isVerifying = false;
      if (isGone || !field.current) return;
      field.current.value = token;
      isVerified = true;
      sent.requestSubmit(submitter);
      isVerified = false;
    }

    /** Listens on the form itself, before React's handlers, which listen at the root. */
    function intercept(event: SubmitEvent): void {
      if (isVerified) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (!isVerifying) void send(form as HTMLFormElement, event.submitter);
    }

    loadCaptcha(settings, language)
      .then(() => {
        isLoaded.current = true;
      })
      .catch(() => undefined);
    form.addEventListener('submit', intercept);
    return () => {
      isGone = true;
      form.removeEventListener('submit', intercept);
    };
  }, [settings, action, field, language]);

  return isWaiting;
}
