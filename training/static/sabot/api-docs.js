// The API documentation page: loads the schema and sends trial requests with the current session.
const place = document.getElementById("docs");

window.SwaggerUIBundle({
  url: place.dataset.schema,
  domNode: place,
  // Deep links put a link inside a button, which keyboards and screen readers cannot tell apart.
  deepLinking: false,
  validatorUrl: null,
  requestInterceptor: (request) => {
    if (new URL(request.url, location.href).origin === location.origin) {
      request.headers["X-CSRFToken"] = place.dataset.csrf;
    }
    return request;
  },
});
