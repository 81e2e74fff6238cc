import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useRootData } from '../../session/root-data';
import { StatusNote } from '../../ui/content/notice';
import { LinkedText } from '../../ui/page/linked-text';
import { CAPTCHA_FIELD } from './captcha-field';
import { useCaptcha } from './use-captcha';

const LINKS = { privacy: 'https://policies.google.com/privacy', terms: 'https://policies.google.com/terms' };

interface CaptchaProps {
  /** Path of the route of the contract that the form's action calls. */
  readonly action: string;
}

/**
 * Inside a form: protects it by reCAPTCHA where one is configured, and names it, as Google requires where its badge is
 * hidden.
 */
export function Captcha({ action }: CaptchaProps) {
  const { t } = useTranslation('common');
  const { captcha } = useRootData();
  const field = useRef<HTMLInputElement>(null);
  const isWaiting = useCaptcha(captcha, action, field);
  if (!captcha) return null;
  return (
    <>
      <input ref={field} type="hidden" name={CAPTCHA_FIELD} />
      {isWaiting && <StatusNote>{t('captcha.notLoaded')}</StatusNote>}
      <p className="text-center text-caption text-pretty text-muted">
        <LinkedText text={t('captcha.notice')} links={LINKS} target="_blank" />
      </p>
    </>
  );
}
