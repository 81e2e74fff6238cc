export const FEATURES = ['faces', 'background', 'color', 'video', 'batch', 'speed'] as const;

export const RANKS = ['first', 'second', 'third'] as const;

/** Questions of the onboarding survey (spec 2, section 2) with their answers. */
export const ONBOARDING_QUESTIONS = {
  editingLevel: ['none', 'some', 'regular', 'professional'],
  knowledge: ['new', 'heard', 'used'],
  photoType: ['portraits', 'old', 'groups', 'products', 'other'],
  purpose: ['memories', 'social', 'work', 'print', 'other'],
  source: ['search', 'friends', 'social', 'ad', 'other'],
} as const;

export type OnboardingQuestion = keyof typeof ONBOARDING_QUESTIONS;

export const ONBOARDING_NAMES = Object.keys(ONBOARDING_QUESTIONS) as OnboardingQuestion[];
