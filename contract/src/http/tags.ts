/** Groups of routes in the description of the API, in its order, with their introductions. */
export const TAGS = {
  enhance: 'One picture in one request: send it, and receive the enhanced file.',
  uploads:
    'One or several pictures, sent in parts or in parallel: announce them, send the bytes to the returned addresses, ' +
    'start processing, and poll.',
  tasks: 'A task is a photo or video with its results. Read, list, cancel, download, convert and delete tasks.',
  videos: 'Videos: the weekly allowance, upload, enhancement. A video is also a task.',
  sharings: 'Public links that show a picture or video before and after.',
  'plugin-keys': 'API keys, for the Photoshop plug-in and servers.',
  webhooks: 'Endpoints that receive events, their secrets, and the log of deliveries. By login only.',
  users: 'The account, its preferences, sessions and consents.',
  billing: 'Prices, checkouts, subscriptions, gift codes and receipts.',
  settings: 'Flags, offers and tools for a visitor.',
  status: 'The state of the service.',
  support: 'Requests to customer support, and captchas.',
  events: 'Usage events and errors that clients report.',
  staff: 'The secret menu of the staff.',
  sandbox: 'Sign-in as anyone, where the sandbox is the identity provider.',
} as const;

/** A key of {@link TAGS}. */
export type Tag = keyof typeof TAGS;
