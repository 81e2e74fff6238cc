import type { LoginProvider } from '@clearframe/contract';
import { useLocation } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { ModalActions, ModalChoice, ModalLead, ModalTitle, useModalFrame } from '../../ui/modal/modal-frame';
import type { ModalBodyProps } from '../modals/catalogue';
import { GotIt } from '../modals/got-it';
import { destinationIn } from './login-address';
import { LoginNotice } from './login-form';
import { ProviderButtons } from './provider-buttons';
import { LOGIN_PROVIDER_LIST, PROVIDER_NAMES } from './providers';
import { useAfterLogin } from './use-after-login';
import { useLogin } from './use-login';

export function LinkingModal({ attempted, original, modal }: ModalBodyProps<'login:linking'>) {
  const { t } = useTranslation('onboarding');
  const { mode } = useModalFrame();
  const names = { attempted: PROVIDER_NAMES[attempted], original: original ? PROVIDER_NAMES[original] : '' };
  const providers = original ? [original] : LOGIN_PROVIDER_LIST.filter((provider) => provider !== attempted);
  return (
    <>
      <ModalTitle>{t('linking.title')}</ModalTitle>
      <ModalLead>
        <p>{original ? t('linking.known', names) : t('linking.unknown', names)}</p>
        <p>{t('linking.then', names)}</p>
      </ModalLead>
      {mode === 'dialog' ? (
        <ProviderButtons providers={providers} returnTo="/" onChoose={(provider) => void modal.close(provider)} />
      ) : (
        <LinkingPageButtons providers={providers} />
      )}
    </>
  );
}

interface LinkingPageButtonsProps {
  readonly providers: readonly LoginProvider[];
}

function LinkingPageButtons({ providers }: LinkingPageButtonsProps) {
  const continueAfterLogin = useAfterLogin();
  const { search } = useLocation();
  const { busy, problem, start } = useLogin((done) => void continueAfterLogin(done, async () => {}));
  return (
    <div className="flex flex-col gap-5">
      {problem && <LoginNotice problem={problem} />}
      <ProviderButtons providers={providers} busy={busy} returnTo={destinationIn(search)} onChoose={start} />
    </div>
  );
}

/** 'Different email detected' (spec 1, section 2): asks before linking. */
export function DifferentEmailModal({ provider, modal }: ModalBodyProps<'login:different-email'>) {
  const { t } = useTranslation('onboarding');
  const { mode } = useModalFrame();
  const values = { provider: provider ? PROVIDER_NAMES[provider] : '' };
  return (
    <>
      <ModalTitle>{t('differentEmail.title')}</ModalTitle>
      <ModalLead>
        <p>{t('differentEmail.what')}</p>
        <p>{mode === 'dialog' ? t('differentEmail.choose', values) : t('differentEmail.kept')}</p>
      </ModalLead>
      {mode === 'dialog' ? (
        <ModalActions>
          <ModalChoice kind="primary" onChoose={() => void modal.close('link')}>
            {t('differentEmail.link', values)}
          </ModalChoice>
          <ModalChoice kind="quiet" onChoose={() => void modal.close('keepApart')}>
            {t('differentEmail.keepApart')}
          </ModalChoice>
        </ModalActions>
      ) : (
        <GotIt onChoose={() => void modal.close('keepApart')} />
      )}
    </>
  );
}

export function LinkingFailedModal({ modal }: ModalBodyProps<'login:linking-failed'>) {
  const { t } = useTranslation('onboarding');
  return (
    <>
      <ModalTitle>{t('linkingFailed.title')}</ModalTitle>
      <ModalLead>
        <p>{t('linkingFailed.what')}</p>
        <p>{t('linkingFailed.next')}</p>
      </ModalLead>
      <GotIt onChoose={() => void modal.close('gotIt')} />
    </>
  );
}

/** 'Login not supported' (spec 1, section 2): the browser stores no session. */
export function NotSupportedModal({ modal }: ModalBodyProps<'login:not-supported'>) {
  const { t } = useTranslation('onboarding');
  return (
    <>
      <ModalTitle>{t('notSupported.title')}</ModalTitle>
      <ModalLead>
        <p>{t('notSupported.what')}</p>
        <p>{t('notSupported.next')}</p>
      </ModalLead>
      <GotIt onChoose={() => void modal.close('gotIt')} />
    </>
  );
}
