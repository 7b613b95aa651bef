app_name = "characters"
urlpatterns = []
