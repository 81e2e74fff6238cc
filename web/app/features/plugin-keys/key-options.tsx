import { KEY_LIMITS_MAX, type KeyKind, type KeyScope } from '@clearframe/contract';
import { type ComponentPropsWithoutRef, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProblemView } from '../../http/browser-client';
import { buttonClass } from '../../ui/controls/button';
import type { KeyChoice } from './plugin-keys';

/** Their messages; keys have no colons. */
const SCOPES = { 'media:read': 'read', 'media:write': 'write', videos: 'videos' } as const satisfies Record<
  KeyScope,
  string
>;

/** Every key has it: one that could do nothing would be of no use. */
const READ: KeyScope = 'media:read';

const NAME_LENGTH = 100;

interface KeyFieldsProps {
  readonly kind: KeyKind;
  /** Absent: a new key, which may do everything. */
  readonly choice?: KeyChoice;
  readonly problem: ProblemView | null;
}

export const isOfEnd = (problem: ProblemView | null): boolean => problem?.code === 'plugin_keys.end_in_past';

/** What an owner can choose for a key; nothing has to be. */
export function KeyOptions(props: KeyFieldsProps) {
  const { t } = useTranslation('account');
  return (
    <details className="w-full" open={isOfEnd(props.problem) || undefined}>
      <summary className={`list-none [&::-webkit-details-marker]:hidden ${buttonClass('quiet', 'small')} min-h-11`}>
        {t('pluginKey.options.title')}
      </summary>
      <div className="mt-3">
        <KeyFields {...props} />
      </div>
    </details>
  );
}

export function KeyFields({ kind, choice, problem }: KeyFieldsProps) {
  const { t } = useTranslation(['account', 'common']);
  const { name, lastDay, perMonth, perMinute, scopes } = choice ?? {};
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field
        label={t('pluginKey.options.name')}
        name="name"
        dir="auto"
        maxLength={NAME_LENGTH}
        autoComplete="off"
        defaultValue={name ?? undefined}
      />
      <Field
        label={t('pluginKey.options.expiresAt')}
        name="expiresAt"
        type="date"
        defaultValue={lastDay ?? undefined}
        error={isOfEnd(problem) ? t('common:errors.plugin_keys.end_in_past') : null}
      />
      <Field
        label={t('pluginKey.options.perMonth')}
        name="perMonth"
        type="number"
        min={1}
        max={KEY_LIMITS_MAX.perMonth}
        defaultValue={perMonth ?? undefined}
      />
      <Field
        label={t('pluginKey.options.perMinute')}
        name="perMinute"
        type="number"
        min={1}
        max={KEY_LIMITS_MAX.perMinute}
        defaultValue={perMinute ?? undefined}
      />
      <fieldset className="flex flex-col sm:col-span-2">
        <legend className="text-sm font-medium">{t('pluginKey.options.scopes')}</legend>
        {/* A disabled box isn't sent. */}
        <input type="hidden" name="scopes" value={READ} />
        {(Object.keys(SCOPES) as KeyScope[])
          .filter((scope) => !choice || kind === 'live' || scope !== 'videos')
          .map((scope) => (
            <label key={scope} className="flex min-h-11 items-center gap-3">
              <input
                type="checkbox"
                name="scopes"
                value={scope}
                defaultChecked={scopes?.includes(scope) ?? true}
                disabled={scope === READ}
                className="size-5 shrink-0 accent-(--accent)"
              />
              {t(`pluginKey.options.${SCOPES[scope]}`)}
            </label>
          ))}
      </fieldset>
    </div>
  );
}

interface FieldProps extends ComponentPropsWithoutRef<'input'> {
  readonly label: string;
  readonly error?: string | null;
}

function Field({ label, error = null, ...input }: FieldProps) {
  const id = useId();
  const errorId = `${id}-error`;
  return (
    <div className="flex min-w-0 flex-col justify-end gap-1.5">
      <label htmlFor={id} className="text-sm font-medium text-pretty">
        {label}
      </label>
      <input
        id={id}
        className="field"
        aria-invalid={error !== null || undefined}
        aria-describedby={error === null ? undefined : errorId}
        {...input}
      />
      {error !== null && (
        <p id={errorId} role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
    </div>
  );
}
