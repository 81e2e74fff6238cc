import { useLocation } from '@remix-run/react';
import Monitor from 'lucide-react/icons/monitor';
import Moon from 'lucide-react/icons/moon';
import Sun from 'lucide-react/icons/sun';
import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { submit } from '../../http/browser-client';
import { RETURN_PARAMETER } from '../../http/internal-address';
import { isTheme, THEMES, useDocument } from '../../ui/page/document-data';

const ICONS = { light: Sun, dark: Moon, system: Monitor };

/** With JavaScript the theme changes without a navigation. */
export function ThemeSwitch({ className = '' }: { readonly className?: string }) {
  const { t } = useTranslation();
  const { theme: current, setTheme } = useDocument();
  const { pathname, search } = useLocation();

  function choose(event: FormEvent<HTMLFormElement>): void {
    const { submitter } = event.nativeEvent as SubmitEvent;
    const theme = submitter instanceof HTMLButtonElement ? submitter.value : null;
    if (!isTheme(theme)) return;
    event.preventDefault();
    setTheme(theme);
    // A failure only loses the preference.
    void submit('/theme', { theme });
  }

  return (
    <form method="post" action="/theme" onSubmit={choose} className={className}>
      <input type="hidden" name={RETURN_PARAMETER} value={`${pathname}${search}`} />
      <fieldset className="flex gap-0.5 rounded-full bg-well p-1">
        <legend className="sr-only">{t('theme.label')}</legend>
        {THEMES.map((theme) => {
          const Icon = ICONS[theme];
          return (
            <button
              key={theme}
              type="submit"
              name="theme"
              value={theme}
              aria-label={t(`theme.${theme}`)}
              aria-pressed={theme === current}
              className="grid size-9 cursor-pointer place-items-center rounded-full text-muted transition hover:text-ink aria-pressed:bg-raised aria-pressed:text-ink aria-pressed:shadow-soft"
            >
              <Icon aria-hidden className="size-4" />
            </button>
          );
        })}
      </fieldset>
    </form>
  );
}
