import type { LoginProvider } from '@clearframe/contract';

export const LOGIN_PROVIDER_LIST = ['facebook', 'google', 'apple'] as const satisfies readonly LoginProvider[];

export const PROVIDER_NAMES: Readonly<Record<LoginProvider, string>> = {
  facebook: 'Facebook',
  google: 'Google',
  apple: 'Apple',
};

export const isLoginProvider = (text: unknown): text is LoginProvider =>
  LOGIN_PROVIDER_LIST.some((provider) => provider === text);
