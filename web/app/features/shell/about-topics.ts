export const ABOUT_TOPICS = ['photo', 'result', 'files'] as const;
export type AboutTopic = (typeof ABOUT_TOPICS)[number];

export const isAboutTopic = (text: unknown): text is AboutTopic => ABOUT_TOPICS.some((topic) => topic === text);
