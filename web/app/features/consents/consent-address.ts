/** Consents that a modal asks for, named like their texts and preference forms. */
export const ASKED_CONSENTS = ['marketing', 'imageTraining'] as const;
export type AskedConsent = (typeof ASKED_CONSENTS)[number];

export const CONSENT_ADDRESSES: Readonly<Record<AskedConsent, string>> = {
  marketing: '/consents/marketing',
  imageTraining: '/consents/image-training',
};

/** Says what declining the training means. */
export const DECLINED_ADDRESS = `${CONSENT_ADDRESSES.imageTraining}/declined`;
