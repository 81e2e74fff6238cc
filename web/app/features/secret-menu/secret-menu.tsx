import { useLocation } from '@remix-run/react';
import type { FormEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { send as request } from '../../http/browser-client';
import { useSentForm } from '../../http/use-sent-form';
import { Notice, StatusNote } from '../../ui/content/notice';
import { Button } from '../../ui/controls/button';
import { TextField } from '../../ui/controls/fields';
import { useForm } from '../../ui/controls/use-form';
import { ModalActions, ModalLead, ModalTitle, useModalFrame } from '../../ui/modal/modal-frame';
import { ExperimentsForm } from './experiments-form';
import {
  type ClosedSecretMenu,
  type FormProps,
  type OpenSecretMenu,
  SECRET_MENU_ADDRESS,
  SECRET_MENU_STATE,
  type SecretMenuView,
} from './secret-menu-view';

interface SecretMenuProps {
  readonly view: SecretMenuView;
  /** Absent on the menu's page, whose forms load it again. */
  readonly onChange?: (view: SecretMenuView) => void;
}

export function SecretMenu({ view, onChange }: SecretMenuProps) {
  const { t } = useTranslation(['account', 'common']);
  const { search } = useLocation();
  const { mode } = useModalFrame();
  const sent = useSentForm(
    (fields) => request<SecretMenuView>(SECRET_MENU_STATE, fields),
    (next) => onChange?.(next),
  );
  const formProps: FormProps = {
    action: `${SECRET_MENU_ADDRESS}${mode === 'page' ? search : ''}`,
    isSending: sent.isSending,
    onSubmit: onChange ? sent.onSubmit : () => {},
  };
  const problem = sent.problem ?? view.problem;
  return (
    <>
      <ModalTitle>{t('secretMenu.title')}</ModalTitle>
      <ModalLead>
        <p>{t(view.isOpen ? 'secretMenu.leadOpen' : 'secretMenu.lead')}</p>
      </ModalLead>
      {problem && <Notice>{t(`common:errors.${problem.code}`)}</Notice>}
      {view.isOpen ? <OpenMenu view={view} {...formProps} /> : <PasswordForm result={view.result} {...formProps} />}
    </>
  );
}

function PasswordForm({ result, action, isSending, onSubmit }: FormProps & Pick<ClosedSecretMenu, 'result'>) {
  const { t } = useTranslation(['account', 'common']);
  const { form, field } = useForm({
    result,
    load: () => import('./secret-menu-form'),
    parse: ({ parsePassword }, fields) => parsePassword(fields),
    keepsDraft: false,
  });
  const isIncorrect = result?.error?.password?.[0] === 'secret_menu.password_incorrect';
  function send(event: FormEvent<HTMLFormElement>): void {
    form.onSubmit(event);
    if (!event.defaultPrevented) onSubmit(event);
  }
  return (
    <form {...form} method="post" action={action} onSubmit={send} className="flex flex-col gap-5">
      <input type="hidden" name="change" value="open" />
      <TextField
        field={field('password')}
        label={t('secretMenu.password')}
        error={t(isIncorrect ? 'common:errors.secret_menu.password_incorrect' : 'secretMenu.missing')}
        type="password"
        autoComplete="off"
        data-autofocus=""
      />
      <ModalActions>
        <Button type="submit" kind="primary" disabled={isSending} aria-busy={isSending || undefined}>
          {t('secretMenu.open')}
        </Button>
      </ModalActions>
    </form>
  );
}

function OpenMenu({ view, ...form }: FormProps & { readonly view: OpenSecretMenu }) {
  const { t } = useTranslation('account');
  const { mode } = useModalFrame();
  return (
    <div className="flex flex-col gap-6">
      {view.isChanged && (
        <>
          <StatusNote>{t('secretMenu.done')}</StatusNote>
          {mode === 'dialog' && (
            <Button kind="primary" className="self-start" onClick={() => window.location.reload()}>
              {t('secretMenu.reload')}
            </Button>
          )}
        </>
      )}
      {view.account && (
        <Section title={t('secretMenu.free.title')}>
          {view.account.isSubscribed ? (
            <p className="text-sm text-pretty text-muted">{t('secretMenu.free.subscribed')}</p>
          ) : (
            <FreeForm isFree={view.account.isFree} {...form} />
          )}
        </Section>
      )}
      <Section title={t('secretMenu.experiments.title')}>
        <ExperimentsForm experiments={view.experiments} {...form} />
      </Section>
      <form method="post" action={form.action} onSubmit={form.onSubmit}>
        <input type="hidden" name="change" value="close" />
        <Button type="submit" kind="quiet" disabled={form.isSending}>
          {t('secretMenu.close')}
        </Button>
      </form>
    </div>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const Heading = useModalFrame().mode === 'page' ? 'h2' : 'h3';
  return (
    <section className="flex flex-col gap-3 rounded-card bg-well p-5">
      <Heading className="font-semibold">{title}</Heading>
      {children}
    </section>
  );
}

function FreeForm({ isFree, action, isSending, onSubmit }: FormProps & { readonly isFree: boolean }) {
  const { t } = useTranslation('account');
  return (
    <form method="post" action={action} onSubmit={onSubmit} className="flex flex-col gap-3">
      <input type="hidden" name="change" value="isFree" />
      <input type="hidden" name="isFree" value={isFree ? 'no' : 'yes'} />
      <p className="text-sm text-pretty text-muted">{t(isFree ? 'secretMenu.free.isOn' : 'secretMenu.free.isOff')}</p>
      <Button type="submit" kind="quiet" className="self-start" disabled={isSending}>
        {t(isFree ? 'secretMenu.free.turnOff' : 'secretMenu.free.turnOn')}
      </Button>
    </form>
  );
}
