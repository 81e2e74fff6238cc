/** Lines are short, so that few of them wrap on a phone. @param api base URL of the routes */
const lines = (...parts: readonly string[]): string => parts.join(' \\\n  ');

const KEY = "-H 'X-Api-Key: cfk_…'";

/** Waits for the finished photo. */
export const waitExample = (api: string): string =>
  lines(`curl ${KEY}`, "-H 'Prefer: wait=60'", '-F file=@photo.jpg -o result.jpg', `${api}/enhance`);

/** Answers at once. */
export const enhanceExample = (api: string): string => lines(`curl -i ${KEY}`, '-F file=@photo.jpg', `${api}/enhance`);

export const taskExample = (api: string): string => lines(`curl ${KEY}`, `${api}/tasks/TASK_ID`);

/** Ties the key to a device. */
export const activateExample = (api: string): string =>
  lines(
    `curl ${KEY}`,
    "-H 'Content-Type: application/json'",
    `-d '{"device_id": "studio-1"}'`,
    `${api}/plugin-keys/activate`,
  );
