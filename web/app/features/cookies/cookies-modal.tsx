import { useLocation } from '@remix-run/react';
import { type FormEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { preserveVersionParam, RETURN_PARAMETER, returnAddressIn } from '../../http/internal-address';
import { useRootData } from '../../session/root-data';
import { COOKIES_ADDRESS } from '../../telemetry/answer-state';
import { CONSENT_CATEGORIES, type ConsentCategory } from '../../telemetry/consent-cookie';
import { agreedCategories, giveConsent } from '../../telemetry/cookie-consent';
import { openPlatformSettings } from '../../telemetry/start-third-parties';
import { track } from '../../telemetry/telemetry';
import { Button } from '../../ui/controls/button';
import { Toggle } from '../../ui/controls/choices';
import { ModalActions, ModalLead, ModalTitle, useModalFrame } from '../../ui/modal/modal-frame';
import type { ModalBodyProps } from '../modals/catalogue';
import { type CookieChoice, categoriesOf } from './cookie-form';

const NAMES = { C0002: 'measurement', C0004: 'advertising' } as const satisfies Record<ConsentCategory, string>;
const CHOICES = ['refuse', 'accept', 'save'] as const satisfies readonly CookieChoice[];
const ACTIONS = { refuse: 'rejected', accept: 'accepted', save: 'customized' } as const;

/** @param agreed null over a page, where the script knows them */
export function CookiesModal({ agreed, modal }: ModalBodyProps<'cookies'>) {
  const { t } = useTranslation(['onboarding', 'footer']);
  const { mode } = useModalFrame();
  const { search } = useLocation();
  const { thirdParties } = useRootData();
  const [checked] = useState(() => agreed ?? agreedCategories());

  useEffect(() => {
    track('cookieBanner', { action: 'customizing' });
  }, []);

  function submit(event: FormEvent<HTMLFormElement>): void {
    const { submitter } = event.nativeEvent as SubmitEvent;
    const choice = CHOICES.find((one) => submitter instanceof HTMLButtonElement && submitter.value === one);
    if (!choice) return;
    track('cookieBanner', { action: ACTIONS[choice] });
    // The page's form leads back to the page before.
    if (mode === 'page') return;
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    giveConsent(categoriesOf(choice, (category) => fields.has(category)));
    void modal.close('chosen');
  }

  return (
    <>
      <ModalTitle>{t('footer:cookies.settings')}</ModalTitle>
      <ModalLead>
        <p>{t('cookies.lead')}</p>
      </ModalLead>
      <p className="text-pretty">
        <span className="block font-medium">{t('cookies.necessary.title')}</span>
        <span className="text-sm text-muted">{t('cookies.necessary.body')}</span>
      </p>
      {thirdParties.consentPlatform ? (
        <ModalActions>
          <Button kind="quiet" onClick={openPlatformSettings} className="nojs:hidden">
            {t('footer:cookies.settings')}
          </Button>
        </ModalActions>
      ) : (
        <form
          method="post"
          action={preserveVersionParam(COOKIES_ADDRESS, search)}
          onSubmit={submit}
          className="flex flex-col gap-6"
        >
          <input type="hidden" name={RETURN_PARAMETER} value={returnAddressIn(search)} />
          {CONSENT_CATEGORIES.map((category) => (
            <Toggle
              key={category}
              name={category}
              defaultChecked={checked.includes(category)}
              label={
                <>
                  <span className="block font-medium">{t(`cookies.${NAMES[category]}.title`)}</span>
                  <span className="text-sm text-pretty text-muted">{t(`cookies.${NAMES[category]}.body`)}</span>
                </>
              }
            />
          ))}
          <ModalActions>
            {CHOICES.map((choice) => (
              <Button key={choice} type="submit" name="choice" value={choice} kind="quiet">
                {choice === 'save' ? t('cookies.save') : t(`footer:cookies.${choice}`)}
              </Button>
            ))}
          </ModalActions>
        </form>
      )}
    </>
  );
}
