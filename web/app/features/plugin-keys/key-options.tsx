import type { KeyScope } from '@clearframe/contract';
import { type ComponentPropsWithoutRef, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { buttonClass } from '../../ui/controls/button';

/** Their messages; keys have no colons. */
const SCOPES = { 'media:read': 'read', 'media:write': 'write', videos: 'videos' } as const satisfies Record<
  KeyScope,
  string
>;

/** Every key has it: one that could do nothing would be of no use. */
const READ: KeyScope = 'media:read';

const NAME_LENGTH = 100;

/** What an owner can choose for a key; nothing has to be. */
export function KeyOptions() {
  const { t } = useTranslation('account');
  return (
    <details className="w-full">
      <summary className={`list-none [&::-webkit-details-marker]:hidden ${buttonClass('quiet', 'small')} min-h-11`}>
        {t('pluginKey.options.title')}
      </summary>
      <div className="mt-3 grid gap-4 sm:grid-cols-2">
        <Field label={t('pluginKey.options.name')} name="name" dir="auto" maxLength={NAME_LENGTH} autoComplete="off" />
        <Field label={t('pluginKey.options.expiresAt')} name="expiresAt" type="date" />
        <Field label={t('pluginKey.options.perMonth')} name="perMonth" type="number" min={1} max={10_000_000} />
        <Field label={t('pluginKey.options.perMinute')} name="perMinute" type="number" min={1} max={10_000} />
        <fieldset className="flex flex-col sm:col-span-2">
          <legend className="text-sm font-medium">{t('pluginKey.options.scopes')}</legend>
          {/* A disabled box isn't sent. */}
          <input type="hidden" name="scopes" value={READ} />
          {(Object.keys(SCOPES) as KeyScope[]).map((scope) => (
            <label key={scope} className="flex min-h-11 items-center gap-3">
              <input
                type="checkbox"
                name="scopes"
                value={scope}
                defaultChecked
                disabled={scope === READ}
                className="size-5 shrink-0 accent-(--accent)"
              />
              {t(`pluginKey.options.${SCOPES[scope]}`)}
            </label>
          ))}
        </fieldset>
      </div>
    </details>
  );
}

function Field({ label, ...input }: { readonly label: string } & ComponentPropsWithoutRef<'input'>) {
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col justify-end gap-1.5">
      <label htmlFor={id} className="text-sm font-medium text-pretty">
        {label}
      </label>
      <input id={id} className="field" {...input} />
    </div>
  );
}
