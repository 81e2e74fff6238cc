import type { CaptchaSettings } from '../../../server/config/settings.ts';

/** The parts of reCAPTCHA v3 that forms use. */
interface CaptchaScript {
  ready(listener: () => void): void;
  execute(siteKey: string, options: { readonly action: string }): Promise<string>;
}

declare global {
  interface Window {
    grecaptcha?: CaptchaScript;
  }
}

export type GetToken = (action: string) => Promise<string>;

let loading: Promise<GetToken> | null = null;

/** Loads the script once a document; after a failure, the next call tries again. */
export function loadCaptcha(settings: CaptchaSettings, locale: string): Promise<GetToken> {
  loading ??= appendScript(settings, locale).catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

function appendScript({ siteKey, scriptUrl }: CaptchaSettings, locale: string): Promise<GetToken> {
  return new Promise((resolve, reject) => {
    const url = new URL(scriptUrl);
    url.searchParams.set('render', siteKey);
    url.searchParams.set('hl', locale.replace('_', '-'));
    const script = document.createElement('script');
    script.src = url.href;
    script.async = true;
    script.onload = () => {
      const { grecaptcha } = window;
      if (!grecaptcha) return reject(new Error('the script has no grecaptcha'));
      grecaptcha.ready(() => resolve((action) => grecaptcha.execute(siteKey, { action })));
    };
    script.onerror = () => {
      script.remove();
      reject(new Error(`${scriptUrl} could not be loaded`));
    };
    document.head.append(script);
  });
}
