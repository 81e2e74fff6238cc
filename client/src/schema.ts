/** Generated from the description of the API by generate.ts. */

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        ActivatePluginKey: {
            /**
             * @description Id of the device, chosen by the client, which sends it in `X-Device-Id` from then on; 1 to 200 printable ASCII characters.
             * @example studio-mac
             */
            device_id: string;
        };
        /**
         * @example {
         *       "image_content_type": "image/jpeg",
         *       "file_name": "photo.jpg",
         *       "size_bytes": 2400000
         *     }
         */
        CreateBulkUpload: {
            /**
             * @description Media type of the file. The bytes decide if they are of another accepted type. Required without `input_url`.
             * @enum {string}
             */
            image_content_type?: "image/png" | "image/jpeg" | "image/tiff" | "image/webp" | "image/vnd.adobe.photoshop" | "image/heic" | "image/heif" | "image/avif";
            /** @description Media type of the result: `image/png`, `image/jpeg`, `image/tiff`, or with the original and the result as layers `image/vnd.adobe.photoshop` or `image/tiff;application=photoshop`. Default: that of the plan. All but JPEG need the Business plan. */
            output_content_type?: string;
            /** @description The tools to apply. Default: the tools saved in the account, else `face_enhance` and `background_enhance`. */
            ai_pipeline?: "auto" | components["schemas"]["AiPipeline"];
            /** @description Name of the file, from which the name of the download is made; 1 to 255 characters. */
            file_name?: string;
            /** @description Size of the file in bytes, at most 50,000,000. A file of another size is refused. */
            size_bytes?: number;
            /** @description SHA-256 of the file, in lowercase hex. Other bytes are refused. */
            sha256?: string;
            /** @description Quality of a JPEG result, in percent. Default: 90. */
            jpeg_quality?: 90 | 100;
            /** @description Keep the location (GPS) of the picture in the results. Default: the preference of the account, which is off at first. */
            keep_location?: boolean;
            /** @description Address of the file, in place of its bytes: https, on the public internet. Processing starts by itself. At most 2,048 characters. */
            input_url?: string;
            /** @description Address that receives the first result by one PUT, such as a pre-signed address of a store: https, on the public internet. At most 2,048 characters. */
            output_upload_url?: string;
            /** @description Address of a mask that limits the tools to a part of the picture: an 8-bit gray PNG of the size of the upright picture. White applies them fully, black keeps the pixels, gray is between. At most 16,000,000 bytes; https, on the public internet. */
            mask_url?: string;
            /** @description The pictures of a batch. Send either this, or one picture in the other members. */
            input_task_list?: components["schemas"]["ImageInput"][];
            /**
             * Format: uri
             * @description Receives the events of this request, whatever the endpoints of the account choose. Signed with the callback secret of the account.
             */
            callback_url?: string;
        };
        /**
         * @example {
         *       "face_enhance": {
         *         "model": "base"
         *       },
         *       "background_enhance": {
         *         "model": "base"
         *       }
         *     }
         */
        AiPipeline: {
            /** @description Finds scratches, dust, hairs, cracks, folds and spots of prints and scans, and fills them from their surroundings. Changes nothing else. `v1` finds fainter damage than `base`. Only where `ai_pipeline_config` of the settings has it: it still takes some reflections for damage. */
            repair?: {
                /**
                 * @description The network or look that the tool applies.
                 * @enum {string}
                 */
                model: "base" | "v1";
                /** @description How much is taken for damage, 0 (nothing) to 1: less keeps faint marks. Default: 1. */
                strength?: number;
            };
            /** @description Restores faces. `v1` is smoother than `base`, `v2` crisper. */
            face_enhance?: {
                /**
                 * @description The network or look that the tool applies.
                 * @enum {string}
                 */
                model: "base" | "v1" | "v2";
                /** @description Share of the effect, 0 (none) to 1 (full). Default: 1. */
                strength?: number;
                /** @description Faces with a strength of their own, at most 50; the others have that of the tool. An entry means the face at its place among the `faces` of a result, or the one whose center lies in its box. Entries that match no face are named by `unmatched_faces` of the recipe. */
                faces?: ({
                    /** @description Place of the face among the `faces` of a result, from 0. */
                    index: number;
                    /** @description Share of the effect, 0 to 1. 0 leaves the pixels of the original, also where the background is enhanced. */
                    strength: number;
                    /**
                     * @description Default: that of the tool.
                     * @enum {string}
                     */
                    model?: "base" | "v1" | "v2";
                } | {
                    /** @description The face, in pixels of the result, as face reports have it, or in fractions of the picture if no side exceeds 1. */
                    box: {
                        /** @description Left edge. */
                        x: number;
                        /** @description Top edge. */
                        y: number;
                        /** @description Width. */
                        width: number;
                        /** @description Height. */
                        height: number;
                    };
                    /** @description Share of the effect, 0 to 1. 0 leaves the pixels of the original, also where the background is enhanced. */
                    strength: number;
                    /**
                     * @description Default: that of the tool.
                     * @enum {string}
                     */
                    model?: "base" | "v1" | "v2";
                })[];
                /** @description A face whose restoration is less similar to the person, or can’t be compared, keeps the pixels of the original and is `kept_original` in the report. 0 to 1; default: no limit. */
                min_identity_similarity?: number;
            };
            /** @description Retouches faces, after they have been restored. */
            face_lifting?: {
                /**
                 * @description The network or look that the tool applies.
                 * @enum {string}
                 */
                model: "movie" | "glam" | "cute" | "natural";
                /** @description Share of the effect, 0 (none) to 1 (full). Default: 1. */
                strength?: number;
            };
            /** @description Restores everything but faces: denoises, deblocks and sharpens. `v1` is stronger than `base`. */
            background_enhance?: {
                /**
                 * @description The network or look that the tool applies.
                 * @enum {string}
                 */
                model: "base" | "v1";
                /** @description Share of the effect, 0 (none) to 1 (full). Default: 1. */
                strength?: number;
            };
            /** @description Blurs the background behind people, by a preset or by the three values that a preset sets. */
            bokeh?: {
                /**
                 * @description A preset of aperture, highlights and vividness.
                 * @enum {string}
                 */
                model: "low" | "medium" | "high";
                /** @description Share of the effect, 0 (none) to 1 (full). Default: 1. */
                strength?: number;
            } | {
                /** @description How strongly the background is blurred, 0 to 1. */
                aperture: number;
                /** @description How far bright points become discs, 0 to 1. */
                highlights: number;
                /** @description How saturated the blurred background is, 0 to 1. */
                vivid: number;
                /** @description Share of the effect, 0 (none) to 1 (full). Default: 1. */
                strength?: number;
            };
            /** @description Restores the colors and contrast of faded prints: yellow paper, lost dyes, light blacks. Changes no other picture. `v1` is stronger than `base`. */
            fade?: {
                /**
                 * @description The network or look that the tool applies.
                 * @enum {string}
                 */
                model: "base" | "v1";
                /** @description Share of the effect, 0 (none) to 1 (full). Default: 1. */
                strength?: number;
                /** @description Makes a sepia print neutral gray. Default: `false`, which keeps its tone. */
                neutral?: boolean;
            };
            /** @description Grades color and light. */
            color_enhance?: {
                /**
                 * @description The network or look that the tool applies.
                 * @enum {string}
                 */
                model: "golden" | "steady" | "balanced" | "orange" | "silky" | "muted" | "teal" | "softWarm";
                /** @description Share of the effect, 0 (none) to 1 (full). Default: 1. */
                strength?: number;
            };
            /** @description How far the picture is enlarged. Default: `auto` when a face or background tool runs, else not. */
            upscale?: {
                /** @description Pixels of the result per pixel of the original, on each side. `auto` enlarges pictures with a long side under 1024 pixels to that, at most four times. A result has at most 2048 pixels a side, or 100 megapixels in its original size. */
                factor: "auto" | 1 | 2 | 4;
            };
            /**
             * @description Size of the result. `standard`: at most 2048 pixels a side. `original`: as large as the original, up to 100 megapixels; part of Business. Default: `standard`.
             * @enum {string}
             */
            output_size?: "standard" | "original";
            /**
             * @description Apply only those of `face_enhance`, `background_enhance`, `fade` and `color_enhance` that the measures of the picture ask for; without tools, those of the plan. Absent in a finished result, which names what was applied.
             * @constant
             */
            auto?: true;
        };
        /**
         * @example {
         *       "image_content_type": "image/jpeg",
         *       "file_name": "photo.jpg",
         *       "size_bytes": 2400000
         *     }
         */
        ImageInput: {
            /**
             * @description Media type of the file. The bytes decide if they are of another accepted type. Required without `input_url`.
             * @enum {string}
             */
            image_content_type?: "image/png" | "image/jpeg" | "image/tiff" | "image/webp" | "image/vnd.adobe.photoshop" | "image/heic" | "image/heif" | "image/avif";
            /** @description Media type of the result: `image/png`, `image/jpeg`, `image/tiff`, or with the original and the result as layers `image/vnd.adobe.photoshop` or `image/tiff;application=photoshop`. Default: that of the plan. All but JPEG need the Business plan. */
            output_content_type?: string;
            /** @description The tools to apply. Default: the tools saved in the account, else `face_enhance` and `background_enhance`. */
            ai_pipeline?: "auto" | components["schemas"]["AiPipeline"];
            /** @description Name of the file, from which the name of the download is made; 1 to 255 characters. */
            file_name?: string;
            /** @description Size of the file in bytes, at most 50,000,000. A file of another size is refused. */
            size_bytes?: number;
            /** @description SHA-256 of the file, in lowercase hex. Other bytes are refused. */
            sha256?: string;
            /** @description Quality of a JPEG result, in percent. Default: 90. */
            jpeg_quality?: 90 | 100;
            /** @description Keep the location (GPS) of the picture in the results. Default: the preference of the account, which is off at first. */
            keep_location?: boolean;
            /** @description Address of the file, in place of its bytes: https, on the public internet. Processing starts by itself. At most 2,048 characters. */
            input_url?: string;
            /** @description Address that receives the first result by one PUT, such as a pre-signed address of a store: https, on the public internet. At most 2,048 characters. */
            output_upload_url?: string;
            /** @description Address of a mask that limits the tools to a part of the picture: an 8-bit gray PNG of the size of the upright picture. White applies them fully, black keeps the pixels, gray is between. At most 16,000,000 bytes; https, on the public internet. */
            mask_url?: string;
        };
        AddToBulkUpload: {
            /** @description The pictures to add. */
            input_task_list: components["schemas"]["ImageInput"][];
        };
        ProcessBulkUpload: {
            /** @description The tasks to start, whose files have been sent. Default: all tasks of the upload. */
            task_ids?: string[];
        };
        PrepareArchive: {
            /** @description Media type of the pictures in the archive: `image/png`, `image/jpeg`, `image/tiff`, or with the original and the result as layers `image/vnd.adobe.photoshop` or `image/tiff;application=photoshop`. */
            output_content_type: string;
            /** @description Quality of JPEG pictures, in percent. Default: 90. */
            jpeg_quality?: 90 | 100;
        };
        DeleteTasks: {
            /** @description Ids of the tasks to delete, at most 100. */
            task_ids: string[];
        };
        /**
         * @example {
         *       "input_url": "https://example.com/photo.jpg",
         *       "pipeline": {
         *         "face_enhance": {
         *           "model": "v2"
         *         }
         *       },
         *       "format": "jpeg",
         *       "output_upload_url": "https://bucket.example.com/better.jpg?X-Amz-Signature=…"
         *     }
         */
        EnhanceByAddress: {
            /** @description The tools to apply, as the JSON of an `AiPipeline`, or `auto` for what `POST /analyze` suggests. Default: the tools saved in the account, else `face_enhance` and `background_enhance`. */
            pipeline?: "auto" | components["schemas"]["AiPipeline"];
            /**
             * @description Format of the result; `psd` and `photoshop-tiff` have the original and, above it and masked, the result as layers. Default: `png`. All but JPEG need the Business plan.
             * @enum {string}
             */
            format?: "jpeg" | "jpg" | "png" | "tif" | "tiff" | "psd" | "photoshop-tiff" | "image/png" | "image/jpeg" | "image/tiff" | "image/vnd.adobe.photoshop" | "image/tiff;application=photoshop";
            /** @description The same as `pipeline`, by the name of other routes; counts more. */
            ai_pipeline?: "auto" | components["schemas"]["AiPipeline"];
            /**
             * @description The same as `format`, by the name of other routes; counts more.
             * @enum {string}
             */
            output_content_type?: "jpeg" | "jpg" | "png" | "tif" | "tiff" | "psd" | "photoshop-tiff" | "image/png" | "image/jpeg" | "image/tiff" | "image/vnd.adobe.photoshop" | "image/tiff;application=photoshop";
            /** @description Quality of a JPEG result, in percent. Default: 90. */
            jpeg_quality?: 90 | 100;
            /** @description Name of the file, from which the name of the download is made; 1 to 255 characters. Default: the file name in the form. */
            file_name?: string;
            /** @description Keep the location (GPS) of the picture in the result. Default: the preference of the account, which is off at first. */
            keep_location?: boolean;
            /**
             * Format: uri
             * @description Receives the events of this request, whatever the endpoints of the account choose. Signed with the callback secret of the account.
             */
            callback_url?: string;
            /** @description Address of the file, in place of its bytes: https, on the public internet. Processing starts by itself. At most 2,048 characters. */
            input_url?: string;
            /** @description Address that receives the first result by one PUT, such as a pre-signed address of a store: https, on the public internet. At most 2,048 characters. */
            output_upload_url?: string;
            /** @description Address of a mask that limits the tools to a part of the picture: an 8-bit gray PNG of the size of the upright picture. White applies them fully, black keeps the pixels, gray is between. At most 16,000,000 bytes; https, on the public internet. */
            mask_url?: string;
        };
        CreateUploadToken: {
            /** @description The tools; the page can then choose none. Absent: the page chooses. */
            ai_pipeline?: "auto" | components["schemas"]["AiPipeline"];
            /**
             * @description Format of the result; the page can then choose none. Absent: the page chooses.
             * @enum {string}
             */
            output_content_type?: "image/png" | "image/jpeg" | "image/tiff" | "image/vnd.adobe.photoshop" | "image/tiff;application=photoshop";
            /**
             * Format: uri
             * @description The only origin whose pages may use the token. Absent: any.
             */
            origin?: string;
            /**
             * @description Lifetime of the token in seconds.
             * @default 600
             */
            expires_in_seconds: number;
        };
        ExportTask: {
            /**
             * @description Media type of the file: `image/png`, `image/jpeg`, `image/tiff`, or with the original and the result as layers `image/vnd.adobe.photoshop` or `image/tiff;application=photoshop`. Default: that of the result.
             * @example image/jpeg
             */
            output_content_type?: string;
            /** @description Quality of a JPEG file, in percent. Default: that of the result. */
            jpeg_quality?: 90 | 100;
            /**
             * Format: uuid
             * @description Id of an earlier result that is no preview. Default: the newest.
             */
            output_id?: string;
        };
        ConvertTask: {
            /** @description Media type of the file: `image/png`, `image/jpeg`, `image/tiff`, or with the original and the result as layers `image/vnd.adobe.photoshop` or `image/tiff;application=photoshop`. */
            output_content_type: string;
            /** @description Quality of a JPEG file, in percent. Default: that of the task. */
            jpeg_quality?: 90 | 100;
        };
        CreateChangeMap: {
            /**
             * Format: uuid
             * @description Result; no preview. Default: the newest.
             */
            output_id?: string;
        };
        CreateTiles: {
            /**
             * Format: uuid
             * @description Result; no preview. Default: the newest.
             */
            output_id?: string;
        };
        ConvertInputs: {
            /** @description Ids of tasks of the upload. Default: all. */
            task_ids?: string[];
        };
        Reprocess: {
            /** @description The tasks to process again, each once. */
            input_reprocess_list: components["schemas"]["ReprocessInput"][];
        };
        ReprocessInput: {
            /**
             * Format: uuid
             * @description Id of a task of the upload.
             */
            client_task_id: string;
            /** @description The tools to apply. Default: those of the task. */
            ai_pipeline?: "auto" | components["schemas"]["AiPipeline"];
            /**
             * @description Media type of the result: `image/png`, `image/jpeg`, `image/tiff`, or with the original and the result as layers `image/vnd.adobe.photoshop` or `image/tiff;application=photoshop`. Default: that of the task.
             * @example image/jpeg
             */
            output_content_type?: string;
            /** @description Quality of a JPEG result, in percent. Default: that of the task. */
            jpeg_quality?: 90 | 100;
            /** @description Keep the location (GPS) of the picture in the results. Default: as the task. */
            keep_location?: boolean;
            /**
             * @description Try out tools: every tool on every plan, with a watermark, at most 1280 pixels a side.
             * @default false
             */
            preview: boolean;
        };
        /**
         * @example {
         *       "video_content_type": "video/mp4",
         *       "video_metadata": {
         *         "file_name": "clip.mp4",
         *         "size": 12000000
         *       }
         *     }
         */
        CreateVideoTask: {
            /**
             * @description Media type of the file: MP4 or MOV. The bytes decide. Required without `input_url`.
             * @enum {string}
             */
            video_content_type?: "video/quicktime" | "video/mp4";
            /**
             * @description Limits that the client shows; can only tighten those of the plan.
             * @default {}
             */
            eligibility_limits: components["schemas"]["EligibilityLimits"];
            /**
             * @description What the client knows of the file, to refuse it before it is sent. The limits apply to what is read from the file.
             * @default {}
             */
            video_metadata: {
                /** @description Name of the file, 1 to 255 characters. */
                file_name?: string;
                /**
                 * @description Size of the file in bytes. Required without `input_url`.
                 * @example 12000000
                 */
                size?: number;
                /** @description Length in seconds; absent or null where it is unknown. */
                duration?: number | null;
                /** @description Width in pixels; absent or null where it is unknown. */
                width?: number | null;
                /** @description Height in pixels; absent or null where it is unknown. */
                height?: number | null;
            };
            /** @description The tools to apply. Default: `face_enhance` and `background_enhance`, each with the model `base`. */
            ai_pipeline?: components["schemas"]["VideoPipeline"];
            /**
             * Format: uri
             * @description Receives the events of this request, whatever the endpoints of the account choose. Signed with the callback secret of the account.
             */
            callback_url?: string;
            /** @description Address of the file, in place of its bytes: https, on the public internet. Processing starts by itself. At most 2,048 characters. */
            input_url?: string;
            /** @description Address that receives the first result by one PUT, such as a pre-signed address of a store: https, on the public internet. At most 2,048 characters. */
            output_upload_url?: string;
        };
        EligibilityLimits: {
            /** @description Most megabytes (1,000,000 bytes) of the video. Default: the limit of the plan. */
            max_size_mb?: number;
            /** @description Most seconds of the video. Default: the limit of the plan. */
            max_length?: number;
            /** @description Most megabytes of the week, including the video. Default: the limit of the plan. */
            max_period_size_mb?: number;
            /** @description Most seconds of the week, including the video. Default: the limit of the plan. */
            max_period_length?: number;
        };
        /**
         * @example {
         *       "face_enhance": {
         *         "model": "base"
         *       },
         *       "background_enhance": {
         *         "model": "base"
         *       }
         *     }
         */
        VideoPipeline: {
            /** @description Restores faces. `v1` is smoother than `base`, `v2` crisper. */
            face_enhance?: {
                /**
                 * @description The network or look that the tool applies.
                 * @enum {string}
                 */
                model: "base" | "v1" | "v2";
                /** @description Share of the effect, 0 (none) to 1 (full). Default: 1. */
                strength?: number;
            };
            /** @description Restores everything but faces: denoises, deblocks and sharpens. `v1` is stronger than `base`. */
            background_enhance?: {
                /**
                 * @description The network or look that the tool applies.
                 * @enum {string}
                 */
                model: "base" | "v1";
                /** @description Share of the effect, 0 (none) to 1 (full). Default: 1. */
                strength?: number;
            };
            /** @description Grades color and light. */
            color_enhance?: {
                /**
                 * @description The network or look that the tool applies.
                 * @enum {string}
                 */
                model: "golden" | "steady" | "balanced" | "orange" | "silky" | "muted" | "teal" | "softWarm";
                /** @description Share of the effect, 0 (none) to 1 (full). Default: 1. */
                strength?: number;
            };
        };
        ReprocessVideo: {
            /** @description The tools to apply. */
            ai_pipeline: components["schemas"]["VideoPipeline"];
        };
        User: {
            /** @description Id at the identity provider; of a guest that of the product. */
            id: string;
            /**
             * Format: uuid
             * @description Id in the product.
             */
            web_user_id: string;
            /**
             * Format: uuid
             * @description The same as `web_user_id`, by an older name.
             */
            backend_id: string;
            /** @description Id at the identity provider; null for a guest. */
            firebase_uid: string | null;
            /** @description Has never logged in. Independent of the role: staff or a gift code can make a guest `business`. */
            is_guest: boolean;
            /**
             * @description What the account may do, by its plan.
             * @enum {string}
             */
            role: "guest" | "base" | "credits" | "personal" | "business";
            /** @description Email address; null for a guest. */
            email: string | null;
            /** @description How the user logged in; null for a guest. */
            source: ("google" | "facebook" | "apple") | null;
            /**
             * Format: date-time
             * @description When the account was created.
             */
            created_at: string;
            /** @description Staff has granted free access. */
            is_free: boolean;
            /** @description Downloads that were bought and are left. */
            available_credits: number;
            /** @description Id of the linked account of the mobile app; null without one. */
            mobile_oracle_backend_id: string | null;
            /** @description The user has agreed to mail with tips and offers. */
            marketing_consent: boolean;
            /** @description The user has agreed to training on the pictures. */
            image_training_consent: boolean;
            /** @description When the downloads of the plan are renewed; null without a limit. */
            next_renew_image_download_limits_datetime: string | null;
            /** @description The gift that was redeemed; null without one. */
            gift_code: {
                /** @description The gift has not expired. */
                is_active: boolean;
                /**
                 * Format: date-time
                 * @description When the gift expires.
                 */
                expiry_at: string;
            } | null;
            /** @description Saved preferences. */
            preferences: components["schemas"]["Preferences"];
            /** @description Subscription and offers. */
            monetization: {
                /** @description A subscription can start with a free trial. */
                trial_available: boolean;
                /** @description The first charge of a subscription has failed. */
                has_incomplete_subscription: boolean;
                /** @description A subscription runs. */
                is_subscribed: boolean;
                /** @description The subscription started with a free trial. */
                subscription_includes_trial: boolean;
                /** @description The subscription started at the intro price. */
                subscription_with_intro_price: boolean;
                /** @description Who charges the subscription; `mobile`: bought in the mobile app. Null without one. */
                subscription_provider: ("stripe" | "paypal" | "mobile") | null;
                /** @description The provider’s id of the subscription; null without one. */
                subscription_id: string | null;
                /** @description The provider’s id of the price; null without a subscription. */
                price_id: string | null;
                /** @description The intro price is available: no subscription has started yet. */
                intro_available: boolean;
                /** @description The subscription that its provider may still charge; null without one. */
                open_subscription: components["schemas"]["OpenSubscription"] | null;
            };
            /** @description Downloads of the plan in the current period. */
            limits: {
                /** @description Downloads of the plan in the current period; null: unlimited. */
                exports: number | null;
                /** @description Downloads used in the current period. */
                exports_used: number;
            };
        };
        Preferences: {
            /** @description Send a reminder by mail before a free trial ends. */
            wants_email_reminder: boolean;
            /** @description The tools for requests that name none; null: those of the product. */
            default_ai_pipeline: components["schemas"]["AiPipeline"] | null;
            /** @description Results keep the location (GPS) of their originals. */
            keep_location: boolean;
        };
        OpenSubscription: {
            /**
             * @description Who charges it.
             * @enum {string}
             */
            provider: "stripe" | "paypal";
            /** @description The provider’s id of the price; null where it is unknown. */
            price_id: string | null;
            /**
             * @description State of the subscription.
             * @enum {string}
             */
            state: "running" | "incomplete" | "past_due" | "pending" | "blocked";
            /** @description The first invoice is at the intro price. */
            has_intro: boolean;
        };
        Problem: {
            /** @description A URN of the error code. */
            type: string;
            /** @description What the code means, in English. */
            title: string;
            /** @description The HTTP status. */
            status: number;
            /** @description Stable code of the error, for programs. */
            error_code: string;
            /** @description What went wrong with this request, in English, for people. */
            error_description: string;
            /** @description Id of the request, as in `X-Request-Id`; tell it to support. */
            request_id: string;
            /** @description The problem of each field, by its dotted path, or the limits that were reached. */
            details?: {
                [key: string]: unknown;
            };
        };
        PluginKey: {
            /**
             * Format: uuid
             * @description Id of the key.
             */
            id: string;
            /** @description A test key: free, with a watermark, and apart from the pictures of live keys. Others need Business. */
            is_test: boolean;
            /** @description What its owner calls it; null without a name. */
            name: string | null;
            /** @description What the key may do. */
            scopes: ("media:read" | "media:write" | "videos")[];
            /** @description When it stops to be valid; null: never. */
            expires_at: string | null;
            /** @description What its owner allows it. */
            limits: components["schemas"]["KeyLimits"];
            /**
             * @description The start of the key, by which its owner recognizes it: `cfk_live_` or `cfk_test_` and eight characters.
             * @example cfk_live_a1B2c3D4
             */
            prefix: string;
            /**
             * Format: date-time
             * @description When the key was created.
             */
            created_at: string;
            /** @description When the key was last used, to the minute; null for a key never used. */
            last_used_at: string | null;
            /** @description IP address of that use; null for a key never used, and 90 days after its last use. */
            last_used_ip: string | null;
            /** @description The device that the key is bound to; null for a key that every device and server may use. */
            device_id: string | null;
        };
        KeyLimits: {
            /** @description Most requests a minute; null: no limit of its own. */
            per_minute: number | null;
            /** @description Most pictures and videos started in a month (UTC); null: no limit of its own. */
            per_month: number | null;
        };
        UsageList: {
            /** @description Rows by day, then by key; days without work have none. */
            data: components["schemas"]["UsageRow"][];
            /** @description There are later rows: pass `day` and `key_id` of the last one, with a colon between, as `starting_after`. */
            has_more: boolean;
        };
        UsageRow: {
            /**
             * Format: date
             * @description Day (UTC) on which the work ended.
             */
            day: string;
            /**
             * Format: uuid
             * @description Id of the key, which may have been revoked.
             */
            key_id: string;
            /** @description Of a test key: free of charge. */
            is_test: boolean;
            /**
             * @description Pictures with a result.
             * @example 42
             */
            pictures: number;
            /**
             * @description Videos with a result.
             * @example 0
             */
            videos: number;
            /**
             * @description Sum of the sizes of the pictures’ results, in megapixels.
             * @example 176.16
             */
            megapixels: number;
            /**
             * @description Pictures and videos that were refused or failed; they count towards no limit.
             * @example 1
             */
            failed: number;
            /** @description The results by tool; one with three tools counts in each. */
            tools: components["schemas"]["ToolCounts"];
        };
        ToolCounts: {
            /**
             * @description Pictures and videos with a result that this tool had a part in.
             * @example 12
             */
            repair: number;
            /**
             * @description Pictures and videos with a result that this tool had a part in.
             * @example 12
             */
            background_enhance: number;
            /**
             * @description Pictures and videos with a result that this tool had a part in.
             * @example 12
             */
            face_enhance: number;
            /**
             * @description Pictures and videos with a result that this tool had a part in.
             * @example 12
             */
            fade: number;
            /**
             * @description Pictures and videos with a result that this tool had a part in.
             * @example 12
             */
            face_lifting: number;
            /**
             * @description Pictures and videos with a result that this tool had a part in.
             * @example 12
             */
            bokeh: number;
            /**
             * @description Pictures and videos with a result that this tool had a part in.
             * @example 12
             */
            color_enhance: number;
        };
        BulkUploadCreated: {
            /**
             * Format: uuid
             * @description Id of the upload.
             */
            bulk_upload_id: string;
            /** @description Status of the upload: the most advanced of its tasks, `completed` when all have ended. */
            status: components["schemas"]["TaskStatus"];
            /** @description A task and address for each picture, in the order of the request. */
            task_list: components["schemas"]["UploadTarget"][];
        };
        /**
         * @description `started` waits for bytes, `uploading` has received some or all, `processing` and `reprocessing` are queued or run. Final: `completed` has a result, `exported` a result whose clean file was paid for, `failed` and `invalid` an error code, `cancelled` neither. `pristine` is a client’s state before there is a task; no response has it.
         * @example completed
         * @enum {string}
         */
        TaskStatus: "pristine" | "started" | "uploading" | "processing" | "reprocessing" | "completed" | "exported" | "failed" | "invalid" | "cancelled";
        UploadTarget: {
            /**
             * Format: uuid
             * @description Id of the task.
             */
            task_id: string;
            /** @description `started` while the file is awaited. */
            status: components["schemas"]["TaskStatus"];
            /**
             * Format: uri
             * @description Send the bytes of the file here by PUT, with exactly `upload_headers`. Signed; expires after 15 minutes, and `POST /tasks/{task_id}/upload` renews it.
             */
            upload_url: string;
            /** @description Headers of the PUT, by name. */
            upload_headers: {
                [key: string]: string;
            };
            /** @description Or send the bytes in parts here by tus 1.0 (PATCH, HEAD and DELETE; the upload exists already) within 24 hours. Null up to 8,000,000 bytes and for an undeclared size. */
            resumable_url: string | null;
        };
        BulkUpload: {
            /**
             * Format: uuid
             * @description Id of the upload.
             */
            bulk_upload_id: string;
            /** @description The most advanced status of its tasks; `completed` when all have ended, whatever their result. */
            status: components["schemas"]["TaskStatus"];
            /** @description Its tasks. A call that names tasks of an upload of more than 15 answers with these tasks only. */
            task_list: components["schemas"]["Task"][];
            /** @description Its originals. */
            input_task_list: {
                /**
                 * Format: uuid
                 * @description Id of the task.
                 */
                task_id: string;
                /** @description The original. Signed and short-lived; null until it has been received. */
                input_url: string | null;
                /** @description The original’s properties. */
                input: components["schemas"]["TaskInput"];
            }[];
        };
        Task: {
            /**
             * Format: uuid
             * @description Id of the task.
             */
            task_id: string;
            /**
             * Format: uuid
             * @description Id of its upload.
             */
            bulk_upload_id: string;
            /** @description Number of pictures of its upload; more than one is a batch. */
            bulk_upload_size: number;
            /** @description State of the task. */
            status: components["schemas"]["TaskStatus"];
            /**
             * @description Progress of processing, 0 to 1.
             * @example 1
             */
            progress: number;
            /**
             * @description Progress of the upload, 0 to 1.
             * @example 1
             */
            file_progress: number;
            /** @description Position in the queue, 1 being next; 0 while processed; null when not queued. */
            queue_wait_num: number | null;
            /** @description Estimated seconds until the result; null when not queued or nothing has been measured. */
            remaining_seconds: number | null;
            /**
             * @description Kind of the task.
             * @enum {string}
             */
            media_type: "image" | "video";
            /** @description The tools that were requested. */
            ai_pipeline: components["schemas"]["AiPipeline"];
            /** @description Whether files keep the location (GPS) of the original. */
            keep_location: boolean;
            /** @description Made with a test key: results keep the watermark, and the task can’t be paid for. */
            is_test: boolean;
            /** @description Whether the file at `output_url` has a watermark. */
            has_watermark: boolean;
            /** @description The clean file was downloaded or paid for: further downloads are free, also while it is processed again. */
            is_exported: boolean;
            /**
             * @description Of the clean file: `preparing` between the payment, or the use of a download of the plan, and `is_exported`; then `ready`. Poll a task that is preparing: its file costs nothing more.
             * @enum {string}
             */
            export_state: "none" | "preparing" | "ready";
            /** @description The original. Signed and short-lived; null until it has been received. */
            input_url: string | null;
            /** @description The newest result that is no preview, else the newest preview. Signed and short-lived; null until there is one. */
            output_url: string | null;
            /**
             * @description Media type of the file at `output_url`.
             * @example image/jpeg
             */
            output_content_type: string;
            /** @description Pictures to show in pages. */
            display: components["schemas"]["TaskDisplay"];
            /** @description The original. */
            input: components["schemas"]["TaskInput"];
            /** @description The results. */
            result: {
                /** @description Results, newest first. */
                outputs: components["schemas"]["TaskOutput"][];
            };
            /** @description The live public link; null without one. */
            sharing: components["schemas"]["TaskSharing"] | null;
            /** @description Sending of the first result to the `output_upload_url` of the request; null without one. */
            output_upload: components["schemas"]["OutputUpload"] | null;
            /** @description Why the task ended as `failed`, `invalid` or `cancelled`; a code of the errors of the API, else null. */
            error_code: string | null;
            /**
             * Format: date-time
             * @description When the task was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the task and its files are deleted.
             */
            expires_at: string;
        };
        TaskDisplay: {
            /** @description The original as JPEG or WebP of at most 2048 pixels a side; of a video its first frame. Null until it exists. */
            input_url: string | null;
            /** @description The original as WebP of at most 1024 pixels a side; null until it exists, and for files of older versions. */
            input_medium_url: string | null;
            /** @description The file at `output_url` of the task, for display; null until it exists. */
            output_url: string | null;
            /** @description The result, else the original, of at most 400 pixels a side; null until it exists. */
            thumbnail_url: string | null;
            /** @description The original, of at most 400 pixels a side; null until it exists. */
            input_thumbnail_url: string | null;
            /** @description Width in pixels of the file at `output_url`, else of the file at `input_url`; null until one exists. */
            width: number | null;
            /** @description Height in pixels of the file at `output_url`, else of the file at `input_url`; null until one exists. */
            height: number | null;
        };
        TaskInput: {
            /**
             * @description Name of the file; null if none was sent.
             * @example photo.jpg
             */
            file_name: string | null;
            /**
             * @description Media type of the original.
             * @enum {string}
             */
            content_type: "image/png" | "image/jpeg" | "image/tiff" | "image/webp" | "image/vnd.adobe.photoshop" | "image/heic" | "image/heif" | "image/avif" | "video/quicktime" | "video/mp4";
            /**
             * @description Width in pixels, with orientation applied; null until the file has been read.
             * @example 1600
             */
            width: number | null;
            /**
             * @description Height in pixels, with orientation applied; null until the file has been read.
             * @example 1200
             */
            height: number | null;
            /** @description Length of a video in seconds; null for pictures. */
            duration: number | null;
            /**
             * @description Size in bytes; null until the file has been read.
             * @example 2400000
             */
            size_bytes: number | null;
            /**
             * @description SHA-256 of the stored original, in lowercase hex; null before processing starts and for tasks of older versions.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            sha256: string | null;
            /** @description The original in formats that browsers show. */
            converted_images: {
                /**
                 * @description Media type of the file.
                 * @enum {string}
                 */
                image_content_type: "image/png" | "image/jpeg" | "image/tiff" | "image/webp" | "image/vnd.adobe.photoshop" | "image/heic" | "image/heif" | "image/avif" | "image/tiff;application=photoshop";
                /**
                 * Format: uri
                 * @description The file. Signed and short-lived.
                 */
                output_uri: string;
            }[];
        };
        TaskOutput: {
            /**
             * Format: uuid
             * @description Id of the run that made the result.
             */
            id: string;
            /** @description Counts the results of the task from 1, in the order in which they were made; stays when others are deleted. */
            number: number;
            /** @description The file for the current plan, which the other members describe. Signed and short-lived; null while it is encoded after a change of plan. */
            url: string | null;
            /**
             * @description Media type of the file at `url`.
             * @enum {string}
             */
            content_type: "image/png" | "image/jpeg" | "image/tiff" | "image/webp" | "image/vnd.adobe.photoshop" | "image/heic" | "image/heif" | "image/avif" | "image/tiff;application=photoshop" | "video/quicktime" | "video/mp4";
            /** @description Width in pixels of the file at `url`. */
            width: number;
            /** @description Height in pixels of the file at `url`. */
            height: number;
            /** @description The whole result, which a download of it has; null for a video. */
            full_size: {
                /** @description Width in pixels. */
                width: number;
                /** @description Height in pixels. */
                height: number;
                /** @description Size of the result as a lossless PNG; other formats follow from it roughly. */
                size_bytes: number;
            } | null;
            /** @description The result for display; null until it exists. */
            display: components["schemas"]["DisplayImage"] | null;
            /** @description Small and watermarked, made to try out tools; never downloaded, paid for or archived. */
            is_preview: boolean;
            /** @description Shows the original: no tool was requested, or none changed it visibly. Its file is clean, in full size and free. */
            is_untouched: boolean;
            /** @description Whether the file at `url` has a watermark. */
            has_watermark: boolean;
            /** @description The file for the current plan is being encoded; until then `url` and `display` show less, or are null. */
            is_encoding: boolean;
            /** @description Whether the file keeps the location (GPS) of the original. */
            keep_location: boolean;
            /** @description The tools of this result. */
            ai_pipeline: components["schemas"]["AiPipeline"];
            /** @description The result in the other formats that it was converted to. */
            converted_images: {
                /**
                 * @description Media type of the file.
                 * @enum {string}
                 */
                image_content_type: "image/png" | "image/jpeg" | "image/tiff" | "image/webp" | "image/vnd.adobe.photoshop" | "image/heic" | "image/heif" | "image/avif" | "image/tiff;application=photoshop";
                /**
                 * Format: uri
                 * @description The file. Signed and short-lived.
                 */
                output_uri: string;
            }[];
            /** @description The faces that were found, and what was done to each; empty for a video. */
            faces: components["schemas"]["FaceReport"][];
            /** @description What reproduces the result byte for byte; also written into the file as an XMP packet. */
            recipe: components["schemas"]["Recipe"];
            /** @description Change map: a gray picture whose opacity shows how much networks altered each pixel, at most 1024 pixels a side; null where none did. */
            changes: {
                /**
                 * Format: uri
                 * @description PNG of the change map. Signed and short-lived.
                 */
                url: string;
                /** @description Width in pixels. */
                width: number;
                /** @description Height in pixels. */
                height: number;
            } | null;
        };
        DisplayImage: {
            /**
             * Format: uri
             * @description JPEG, or WebP where there is transparency, of at most 2048 pixels a side, without EXIF. Signed and short-lived.
             */
            url: string;
            /** @description WebP of at most 1024 pixels a side, for small screens; null for files of older versions. Signed and short-lived. */
            medium_url: string | null;
            /**
             * Format: uri
             * @description JPEG or WebP of at most 400 pixels a side. Signed and short-lived.
             */
            thumbnail_url: string;
            /** @description Width in pixels of the file at `url`. */
            width: number;
            /** @description Height in pixels of the file at `url`. */
            height: number;
        };
        FaceReport: {
            /** @description The face, in pixels of the result from its top left corner. */
            box: {
                /** @description Left edge, in pixels. */
                x: number;
                /** @description Top edge, in pixels. */
                y: number;
                /** @description Width, in pixels. */
                width: number;
                /** @description Height, in pixels. */
                height: number;
            };
            /** @description Confidence of the detector, 0 to 1. */
            confidence: number;
            /** @description Whether a face tool changed the face visibly. */
            restored: boolean;
            /** @description Similarity of the face before and after at full strength, 0 to 1; null where it could not be measured. */
            identity_similarity: number | null;
            /**
             * @description Present if the restored face was blended less or not at all, because it resembled another person.
             * @constant
             */
            held_back?: true;
            /**
             * @description Present if the face has the pixels of the original, because its restoration was under `min_identity_similarity`.
             * @constant
             */
            kept_original?: true;
        };
        Recipe: {
            /** @description Version of the processing; the same request and version give the same pixels. */
            version: number;
            /** @description The tools as they were applied. */
            ai_pipeline: components["schemas"]["AiPipeline"];
            /** @description Networks that ran, in no order. */
            models: {
                /** @description Id of the network. */
                id: string;
                /** @description Version of the network. */
                version: string;
                /** @description SHA-256 of the file of the network, in lowercase hex. */
                sha256: string;
            }[];
            /** @description Tools that changed no pixel, such as background blur in a picture without people, or face restoration of sharp faces. */
            left_alone?: ("repair" | "background_enhance" | "face_enhance" | "fade" | "face_lifting" | "bokeh" | "color_enhance")[];
            /**
             * @description Present if the tools changed nothing visibly, so that the pixels are the original’s.
             * @constant
             */
            is_untouched?: true;
            /** @description What `repair` found and filled; absent if nothing. */
            damage?: {
                /** @description Share of the picture, 0 to 1. */
                area: number;
                /** @description Marks that don’t touch each other. */
                count: number;
            };
            /**
             * @description Present if the original looks like a faded print, whose colors `fade` restores.
             * @constant
             */
            is_faded?: true;
            /**
             * @description Present if the original looks like a sepia print, which `neutral` of `fade` makes gray.
             * @constant
             */
            is_sepia?: true;
            /** @description Present if a mask limited the tools to a part of the picture. */
            mask?: {
                /** @description SHA-256 of the file of the mask, in lowercase hex. */
                sha256: string;
            };
            /** @description Places of the entries in `faces` of `face_enhance` that match no face; absent if all do. */
            unmatched_faces?: number[];
            /** @description Pixels of the result per pixel of the original, on each side; absent if the picture was not enlarged. */
            enlarged_by?: number;
        };
        TaskSharing: {
            /**
             * @description Id of the link: 22 characters.
             * @example Qm9rZWggaXMgbmljZSE9PT
             */
            sharing_id: string;
            /**
             * Format: uri
             * @description Address of the page that shows the picture or video.
             */
            url: string;
            /**
             * Format: date-time
             * @description When the link ends, 14 days after its creation.
             */
            expires_at: string;
        };
        OutputUpload: {
            /**
             * @description `waiting` until there is a result and the address has taken it; failures are repeated for an hour.
             * @enum {string}
             */
            status: "waiting" | "completed" | "failed";
            /** @description Why it failed; null when it did not, and when the task was cancelled. */
            error_code: string | null;
        };
        ArchiveParts: {
            /** @description The parts. */
            data: components["schemas"]["ArchivePart"][];
        };
        ArchivePart: {
            /** @description Number of the part, from 1. */
            part: number;
            /** @description Name of the ZIP. */
            file_name: string;
            /** @description Pictures in it. */
            pictures: number;
            /** @description Size of these pictures in bytes. The ZIP is larger by about 200 bytes for each. */
            size_bytes: number;
            /**
             * Format: uri
             * @description Address of the ZIP, for a GET with the credentials of this call.
             */
            url: string;
        };
        TaskList: {
            /** @description Tasks, newest first. */
            data: components["schemas"]["Task"][];
            /** @description There are older tasks: pass the last id as `starting_after`. After `ending_before`, there are newer tasks: pass the first id. */
            has_more: boolean;
        };
        DeletedTasks: {
            /** @description Ids that are not tasks of the caller; the others were deleted. */
            not_found: string[];
        };
        Analysis: {
            /** @description Width in pixels, with orientation applied. */
            width: number;
            /** @description Height in pixels, with orientation applied. */
            height: number;
            /**
             * @description Media type, detected in the bytes.
             * @enum {string}
             */
            content_type: "image/png" | "image/jpeg" | "image/tiff" | "image/webp" | "image/vnd.adobe.photoshop" | "image/heic" | "image/heif" | "image/avif";
            /** @description Black and white, or a toned print. */
            monochrome: boolean;
            /** @description A faded print: yellow or red, its blacks light. `fade` restores it. */
            faded: boolean;
            /** @description Scratches, dust and folds of a print, roughly: 0 below .7 %, up to which reflections of undamaged pictures are marked. Null where the picture was not measured for it. */
            damage: {
                /** @description Share of the picture that is marked, 0 to 1; about half of all damage is found. */
                area: number;
                /** @description `lines` are scratches, hairs, cracks and folds, `spots` are dust and stains. */
                kinds: ("lines" | "spots")[];
            } | null;
            /** @description Share of each side that carries no detail: 0 is sharp, .75 shows as much at a quarter. */
            blur: number;
            /** @description Grain: 0 is clean, 1 deviates by 25 of 255 levels or more. */
            noise: number;
            /** @description Steps between compressed blocks: 0 has none, 1 has 5 of 255 levels or more. */
            compression: number;
            /** @description Median lightness (OKLab): 0 is black, 1 white; photos are usually between .3 and .85. */
            light: number;
            /** @description Largest first. */
            faces: {
                /** @description In pixels of the picture. */
                box: {
                    /** @description Left edge, in pixels. */
                    x: number;
                    /** @description Top edge, in pixels. */
                    y: number;
                    /** @description Width, in pixels. */
                    width: number;
                    /** @description Height, in pixels. */
                    height: number;
                };
                /** @description Pixels of its longer side that carry detail. */
                size: number;
                /** @description The share of its pixels that carries detail, by side. */
                sharpness: number;
            }[];
            /** @description What `auto` would apply within the plan; `{}` for a picture that needs nothing, whose result is free. */
            suggested_pipeline: components["schemas"]["AiPipeline"];
            /** @description Size of the suggested result in pixels, and the time that such pictures took, without waiting. */
            estimate: {
                /** @description Width in pixels. */
                width: number;
                /** @description Height in pixels. */
                height: number;
                /** @description Null before any such picture was measured. */
                seconds: number | null;
            };
        };
        CreatedUploadToken: {
            /** @description `cfu_…`, shown once. The page sends it as `Authorization: Bearer cfu_…`. */
            token: string;
            /**
             * Format: date-time
             * @description When it ends.
             */
            expires_at: string;
        };
        Tiles: {
            /**
             * @description Whether the tiles are being cut, exist, or could not be made.
             * @enum {string}
             */
            status: "pending" | "ready" | "failed";
            /** @description Of the original; null until they exist, and for a small picture. */
            input: components["schemas"]["TileSet"] | null;
            /** @description Of the result; null until they exist, and for a small picture. */
            output: components["schemas"]["TileSet"] | null;
        };
        TileSet: {
            /** @description Address of a tile, in which `{level}`, `{column}` and `{row}` stand for its place. Signed and short-lived. */
            url: string;
            /** @description Width of the picture in pixels. */
            width: number;
            /** @description Height of the picture in pixels. */
            height: number;
            /** @description Side of a tile in pixels, without overlap. */
            tile_size: number;
            /** @description Pixels that a tile shares with each neighbor. */
            overlap: number;
            /** @description Smallest level that has tiles; display files show smaller ones. */
            min_level: number;
            /** @description Level of the full size. Each level below has half the width and height, rounded up. */
            max_level: number;
            /**
             * @description Media type of the tiles.
             * @enum {string}
             */
            content_type: "image/jpeg" | "image/webp";
        };
        Looks: {
            /**
             * @description Whether the thumbnails are being rendered, exist, or could not be made.
             * @enum {string}
             */
            status: "pending" | "ready" | "failed";
            /** @description A thumbnail for each model, applied to the other tools of the newest result; empty until `status` is `ready`. */
            looks: components["schemas"]["Look"][];
        };
        Look: {
            /**
             * @description The tool.
             * @enum {string}
             */
            tool: "color_enhance" | "bokeh" | "face_lifting";
            /** @description The model of the tool. */
            model: string;
            /**
             * Format: uri
             * @description The thumbnail, of about 320 pixels. Signed and short-lived.
             */
            url: string;
            /** @description Width in pixels. */
            width: number;
            /** @description Height in pixels. */
            height: number;
        };
        VideoTaskCreated: {
            /** @description `started` while the file is awaited. */
            status: components["schemas"]["TaskStatus"];
            /**
             * Format: uri
             * @description Send the bytes of the file here by PUT, with exactly `upload_headers`. Signed; expires after 15 minutes, and `POST /tasks/{task_id}/upload` renews it.
             */
            upload_url: string;
            /** @description Headers of the PUT, by name. */
            upload_headers: {
                [key: string]: string;
            };
            /** @description Or send the bytes in parts here by tus 1.0 (PATCH, HEAD and DELETE; the upload exists already) within 24 hours. Null up to 8,000,000 bytes and for an undeclared size. */
            resumable_url: string | null;
            /**
             * Format: uuid
             * @description Id of the video, and of its task.
             */
            video_task_id: string;
        };
        VideoTask: {
            /**
             * Format: uuid
             * @description Id of the video, and of its task: `/tasks/{id}` and the routes below it take it, too.
             */
            video_task_id: string;
            /** @description State of the video. */
            status: components["schemas"]["TaskStatus"];
            /** @description Progress of processing, 0 to 1; never decreases. */
            progress: number;
            /** @description Progress of the upload, 0 to 1. */
            file_progress: number;
            /** @description Estimated seconds until the result; null when not queued or unknown. */
            remaining_seconds: number | null;
            /** @description Position in the queue, 1 being next; 0 while processed; null when not queued. */
            queue_wait_num: number | null;
            /** @description The tools that were requested. */
            ai_pipeline: components["schemas"]["VideoPipeline"];
            /** @description The original. */
            input: components["schemas"]["VideoInput"];
            /** @description How the video is enhanced, and the time that takes; null until the file has been read. */
            plan: {
                /**
                 * @description `faces`: a network restores the faces that are followed. `frames`: noise is averaged along the motion, or a network takes back what compression did; of a video with little of both it becomes `signal`. `faces_and_frames`: both. `signal`: filters for noise, blocks, sharpness and color alone.
                 * @enum {string}
                 */
                recipe: "faces" | "frames" | "faces_and_frames" | "signal";
                /** @description Seconds that enhancing will take, by the measured speed of the worker. */
                estimated_seconds: number;
            } | null;
            /** @description JPEG of the first frame of the original. Signed and short-lived; null until the file has been read. */
            poster_url: string | null;
            /** @description The same frame before and after, while the video is enhanced; else null. */
            preview: {
                /**
                 * Format: uri
                 * @description Small JPEG of a frame of the original. Signed and short-lived.
                 */
                input_url: string;
                /**
                 * Format: uri
                 * @description Small JPEG of the same frame, enhanced. Signed and short-lived.
                 */
                output_url: string;
            } | null;
            /** @description The newest result; null until there is one. */
            result: components["schemas"]["VideoTaskResult"] | null;
            /** @description The results before it, newest first; with the newest at most 5 are kept. */
            earlier_results: components["schemas"]["VideoTaskResult"][];
            /** @description The live public link; null without one. */
            sharing: components["schemas"]["TaskSharing"] | null;
            /** @description Sending of the first result to the `output_upload_url` of the request; null without one. */
            output_upload: components["schemas"]["OutputUpload"] | null;
            /** @description Why the video ended as `failed`, `invalid` or `cancelled`; a code of the errors of the API, else null. */
            error_code: string | null;
            /** @description The limit that was exceeded, with the error code `videos.limit_reached`; else null. */
            reached_limit: components["schemas"]["ReachedVideoLimit"] | null;
            /**
             * Format: date-time
             * @description When the video was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the video and its files are deleted.
             */
            expires_at: string;
        };
        VideoInput: {
            /**
             * @description Name of the file; null if none was sent.
             * @example clip.mp4
             */
            file_name: string | null;
            /**
             * @description Media type of the original.
             * @enum {string}
             */
            content_type: "video/quicktime" | "video/mp4";
            /** @description Width in pixels as shown; null until the file has been read. */
            width: number | null;
            /** @description Height in pixels as shown; null until the file has been read. */
            height: number | null;
            /** @description Length in seconds; null until the file has been read. */
            duration: number | null;
            /** @description Frames per second, the mean of a variable rate; null until the file has been read. */
            frame_rate: number | null;
            /** @description Size in bytes; null until the file has been read. */
            size_bytes: number | null;
            /** @description SHA-256 of the stored original, in lowercase hex; null before processing starts. */
            sha256: string | null;
        };
        VideoTaskResult: {
            /**
             * Format: uuid
             * @description Id of the run that made the result.
             */
            id: string;
            /** @description Counts the results of the video from 1; stays when others are deleted. */
            number: number;
            /** @description The tools of this result. */
            ai_pipeline: components["schemas"]["VideoPipeline"];
            /**
             * Format: uri
             * @description The original. Signed and short-lived.
             */
            input_url: string;
            /**
             * Format: uri
             * @description The enhanced video as MP4. Signed and short-lived.
             */
            output_url: string;
            /**
             * Format: uri
             * @description JPEG of the first frame of the result. Signed and short-lived.
             */
            poster_url: string;
            /**
             * Format: uri
             * @description The original as MP4 that browsers play. Signed and short-lived.
             */
            display_input_url: string;
            /** @description Width in pixels of the file at `output_url`. */
            width: number;
            /** @description Height in pixels of the file at `output_url`. */
            height: number;
            /** @description Length in seconds. */
            duration: number;
            /** @description Size in bytes. */
            size_bytes: number;
            /** @description What made the result. */
            recipe: components["schemas"]["VideoRecipe"];
            /** @description How the result differs from the original besides the tools. */
            notes: ("cut_off" | "hdr_tone_mapped" | "subtitles_dropped" | "scaled_down" | "audio_transcoded" | "audio_dropped")[];
            /** @description People whose faces were followed. */
            faces_followed: number;
            /** @description Those of them whose faces a network has restored. */
            faces_restored: number;
        };
        VideoRecipe: {
            /**
             * @description `faces`: a network restored the faces that were followed. `frames`: noise was averaged along the motion, or a network took back what compression did. `faces_and_frames`: both. `signal`: filters for noise, blocks, sharpness and color alone.
             * @enum {string}
             */
            name: "faces" | "frames" | "faces_and_frames" | "signal";
            /** @description Tools that ran. */
            tools: ("face_enhance" | "background_enhance" | "color_enhance")[];
            /** @description Networks that ran. */
            networks: {
                /** @description Id of the network. */
                id: string;
                /** @description Version of the network. */
                version: string;
                /** @description SHA-256 of the file of the network, in lowercase hex. */
                sha256: string;
            }[];
            /** @description Version of the processing. */
            version: number;
        };
        ReachedVideoLimit: {
            /**
             * @description The limit of the plan that is exceeded.
             * @enum {string}
             */
            limit: "max_size_mb" | "max_length" | "max_period_size_mb" | "max_period_length";
            /** @description Megabytes or seconds of the file, or of the week including it. */
            value: number;
            /** @description Megabytes or seconds that the plan allows. */
            allowed: number;
        };
        VideoAllowance: {
            /**
             * @description The allowance is weekly.
             * @constant
             */
            period: "weekly";
            /** @description Most megabytes (1,000,000 bytes) of one video. */
            max_size_mb: number;
            /** @description Most seconds of one video. */
            max_length: number;
            /** @description Most megabytes (1,000,000 bytes) of a week. */
            max_period_size_mb: number;
            /** @description Most seconds of a week. */
            max_period_length: number;
            /** @description Megabytes used this week, with those reserved for videos that are processed. */
            used_size_mb: number;
            /** @description Seconds used this week, with those reserved for videos that are processed. */
            used_length: number;
            /**
             * Format: date-time
             * @description The next Monday, 00:00 GMT.
             */
            resets_at: string;
            /** @description The limit of the week that is reached; null if none is. */
            limit_hit: ("size" | "duration") | null;
        };
        UsageThreshold: {
            /** @description The key whose own limit it is; null for the limit of the account. */
            key_id: string | null;
            /** @description Pictures and videos that the period allows. */
            limit: number;
            /** @description Pictures and videos used when the threshold was passed. */
            used: number;
            /** @description The threshold in percent of the limit: 80 or 100. */
            percent: number;
            /**
             * Format: date-time
             * @description When the next period begins.
             */
            resets_at: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Id of the request; tell it to support. */
        "X-Request-Id": string;
        /** @description The limit that counts: its name, requests (`q`) and seconds (`w`). */
        "RateLimit-Policy": string;
        /** @description What is left of the limit: requests (`r`), and seconds (`t`) until it is reset. */
        RateLimit: string;
        /** @description Seconds after which the request may be sent again. */
        "Retry-After": number;
        /** @description The response is that of an earlier request with the same `Idempotency-Key`. */
        "Idempotency-Replayed": "true";
        /** @description The `wait` of `Prefer` that the server has kept to. */
        "Preference-Applied": string;
        /** @description Address of the task that the request has created. */
        Location: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
